#!/usr/bin/env bash
# Writes the kustomization out of the chart, with Helm's own engine: generate.sh [FOLDER], by default this one.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
out="${1:-$here}"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
go -C "$here/../../tools/helmtemplate" build -o "$work/helmtemplate" .

# render VALUES FILE [TEMPLATES]: FILE gets what the chart gives with the values.
render() {
	mkdir -p "$(dirname "$out/$2")"
	{
		echo "# Made of the chart by make generate."
		echo "$1" | "$work/helmtemplate" -chart "$here/../chart" -only "${3:-}"
	} >"$out/$2"
}

render '{}' base/crds.yaml crds.yaml
render '{crds: {install: false}}' base/plait.yaml
only='podDisruptionBudget: {enabled: false}'
render "{$only, networkPolicy: {enabled: true}}" components/network-policy/network-policy.yaml options.yaml
render "{$only, serviceMonitor: {enabled: true}, alerts: {enabled: true}, dashboard: {enabled: true}}" components/monitoring/monitoring.yaml options.yaml
