// Brings changes into the page that is open, filters its list, and lets ages go on. The page works without it.
"use strict";

const live = document.getElementById("live");

// ages

function age(since) {
  const s = Math.max(0, Math.floor((Date.now() - new Date(since)) / 1000));
  if (s < 120) return s + "s";
  if (s < 7200) return Math.floor(s / 60) + "m";
  if (s < 172800) return Math.floor(s / 3600) + "h";
  return Math.floor(s / 86400) + "d";
}

function showAges(root) {
  for (const time of root.querySelectorAll("time")) {
    const text = age(time.dateTime);
    if (time.textContent !== text) time.textContent = text;
    time.title = time.dateTime;
  }
  for (const part of root.querySelectorAll("[data-since]")) {
    const text = " · " + age(part.dataset.since);
    if (part.textContent !== text) part.textContent = text;
  }
}

// filter

function filterRows() {
  const input = document.getElementById("filter");
  if (!input) return;
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const row of document.querySelectorAll("tr[data-search]")) {
    const hit = words.every((word) => row.dataset.search.includes(word));
    row.hidden = !hit;
    if (hit) shown++;
  }
  return shown;
}

document.addEventListener("input", (event) => {
  if (event.target.id !== "filter") return;
  live.textContent = filterRows() + " shown";
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) return;
  const input = document.getElementById("filter");
  if (!input) return;
  event.preventDefault();
  input.focus();
  input.select();
});

// changes

// merge makes the children of one element those of another, and leaves alone what is equal, so that focus, scrolling and
// selection stay. Elements are told apart by data-key; what is marked data-list is merged in its turn.
function merge(old, fresh) {
  const known = new Map();
  for (const child of old.children) if (child.dataset.key) known.set(child.dataset.key, child);
  let at = old.firstElementChild;
  for (const next of [...fresh.children]) {
    const key = next.dataset.key;
    let have = key ? known.get(key) : at && !at.dataset.key && at.tagName === next.tagName ? at : null;
    if (have) {
      if (key) known.delete(key);
      if (have !== at) old.insertBefore(have, at);
      if (next.hasAttribute("data-list") && have.hasAttribute("data-list")) {
        merge(have, next);
      } else if (!have.isEqualNode(next)) {
        have = replace(have, next);
      }
      at = have.nextElementSibling;
    } else if (key || !at) {
      old.insertBefore(document.importNode(next, true), at);
    } else {
      at = replace(at, next).nextElementSibling;
    }
  }
  while (at) {
    const gone = at;
    at = at.nextElementSibling;
    gone.remove();
  }
  for (const gone of known.values()) gone.remove();
}

function replace(old, next) {
  if (next.querySelector("table tbody[data-list]") && old.querySelector("table tbody[data-list]") && old.dataset.key) {
    const into = old.querySelector("tbody[data-list]");
    merge(into, next.querySelector("tbody[data-list]"));
    if (sameOutside(old, next)) return old;
  }
  const copy = document.importNode(next, true);
  for (const kept of copy.querySelectorAll("details[data-keep]")) {
    const was = old.querySelector(`details[data-keep="${kept.dataset.keep}"]`);
    if (was) kept.open = was.open;
  }
  const scrolls = [...old.querySelectorAll("pre, .canvas")].map((e) => [e.scrollLeft, e.scrollTop]);
  if (old.tagName === "TR" || old.tagName === "SECTION") copy.classList.add("changed");
  old.replaceWith(copy);
  [...copy.querySelectorAll("pre, .canvas")].forEach((e, i) => {
    if (scrolls[i]) [e.scrollLeft, e.scrollTop] = scrolls[i];
  });
  return copy;
}

function sameOutside(old, next) {
  const strip = (element) => {
    const copy = element.cloneNode(true);
    copy.classList.remove("changed");
    copy.querySelector("tbody[data-list]").replaceChildren();
    return copy;
  };
  return strip(old).isEqualNode(strip(next));
}

function clearMarks() {
  for (const element of document.querySelectorAll(".changed")) {
    element.classList.remove("changed");
    if (!element.getAttribute("class")) element.removeAttribute("class");
  }
  for (const row of document.querySelectorAll("tr[hidden]")) row.hidden = false;
}

let running = false;
let again = false;

async function refresh() {
  if (running) {
    again = true;
    return;
  }
  running = true;
  try {
    const answer = await fetch(location.pathname + location.search, { credentials: "same-origin" });
    if (answer.status === 403 && !answer.headers.get("Content-Type").startsWith("text/html")) {
      lost("This console has ended: open the URL of the new one.");
      return;
    }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("content");
    const old = document.getElementById("content");
    if (!fresh) return;
    showAges(fresh);
    showAges(old);
    clearMarks();
    const input = document.getElementById("filter");
    const freshInput = fresh.querySelector("#filter");
    if (input && freshInput) freshInput.setAttribute("value", input.getAttribute("value"));
    const focused = document.activeElement && document.activeElement.id;
    old.dataset.watched = fresh.dataset.watched;
    merge(old, fresh);
    filterRows();
    document.title = page.title;
    if (focused && document.activeElement === document.body) {
      const element = document.getElementById(focused);
      if (element) element.focus({ preventScroll: true });
    }
    live.textContent = "Updated " + new Date().toLocaleTimeString();
    live.classList.remove("lost");
  } catch {
    lost("The console does not answer.");
  } finally {
    running = false;
    if (again) {
      again = false;
      setTimeout(refresh, 300);
    }
  }
}

function lost(text) {
  live.textContent = text;
  live.classList.add("lost");
}

function listen() {
  const changes = new EventSource("/changes");
  let wasLost = false;
  changes.addEventListener("open", () => {
    if (wasLost) refresh();
    wasLost = false;
  });
  changes.addEventListener("error", () => {
    wasLost = true;
    lost("Not connected: waiting for the console.");
  });
  changes.addEventListener("change", (event) => {
    const watched = document.getElementById("content").dataset.watched.split(" ").filter(Boolean);
    const paths = JSON.parse(event.data);
    if (watched.length === 0 || paths.some((path) => watched.includes(path))) refresh();
  });
  addEventListener("pagehide", () => changes.close());
  addEventListener("pageshow", (event) => {
    if (event.persisted) listen();
  });
}

showAges(document);
filterRows();
setInterval(() => showAges(document), 5000);
listen();
