-- Health of everything of Plait for Argo CD: instances of all ResourceGroups, and the kinds of plait.run.
local health = {status = "Progressing", message = "nobody has looked at it yet"}
local status = obj.status
if status == nil then
  return health
end
if status.observedGeneration ~= nil and status.observedGeneration ~= obj.metadata.generation then
  health.message = "the last change has not been looked at yet"
  return health
end

local conditions = {}
for _, condition in ipairs(status.conditions or {}) do
  conditions[condition.type] = condition
end
local ready = conditions["Ready"]
if ready == nil then
  return health
end
health.message = ready.message or ""

local function holds(kind)
  return conditions[kind] ~= nil and conditions[kind].status == "True"
end

if obj.metadata.deletionTimestamp ~= nil then
  health.status = "Progressing"
elseif holds("Suspended") then
  health.status = "Suspended"
elseif ready.status == "True" then
  health.status = "Healthy"
elseif holds("Reconciling") or ready.status == "Unknown" then
  health.status = "Progressing"
elseif holds("Stalled") or ready.status == "False" then
  health.status = "Degraded"
end
return health
