#!/usr/bin/env bash
# Builds the binaries of the control plane, and kubectl, into the folder given, unless the ones that
# are there come from the same inputs. `make controlplane` calls it.
set -euo pipefail

if [[ -n "${KUBEBUILDER_ASSETS:-}" ]]; then
  echo "controlplane: using KUBEBUILDER_ASSETS=${KUBEBUILDER_ASSETS}, nothing to build"
  exit 0
fi

out="${1:?usage: build.sh FOLDER}"
mkdir -p "$out"
out="$(cd "$out" && pwd)"
cd "$(dirname "${BASH_SOURCE[0]}")"

names=(etcd kube-apiserver kube-controller-manager kube-scheduler)
stamp="$out/.inputs"

# inputs prints a digest of everything that the binaries depend on.
inputs() {
  { go version; go env GOOS GOARCH CGO_ENABLED; cat go.mod go.sum build.sh ./*.go ./*/*.go; } | sha256sum | cut -d' ' -f1
}

# fresh tells whether all binaries are there and were built from these inputs.
fresh() {
  local name
  for name in kubernetes kwok kubectl "${names[@]}"; do
    [[ -x "$out/$name" ]] || return 1
  done
  [[ -f "$stamp" && "$(cat "$stamp")" == "$1" ]]
}

# version prints the version of Kubernetes that go.mod requires.
version() {
  awk '$1 == "k8s.io/kubernetes" { print $2 }' go.mod
}

# ldflags prints the linker flags that tell the components their version.
ldflags() {
  local v="$1" package
  local -a parts
  IFS=. read -ra parts <<<"${v#v}"
  printf -- '-s -w'
  for package in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
    printf -- ' -X %s.gitVersion=%s -X %s.gitMajor=%s -X %s.gitMinor=%s -X %s.gitTreeState=clean' \
      "$package" "$v" "$package" "${parts[0]}" "$package" "${parts[1]}" "$package"
  done
}

# progress reads the package names that `go build -v` prints and says every
# half minute how many there were; any other line is passed on.
progress() {
  local total="$1" count=0 said=0 line
  while IFS= read -r line; do
    if [[ "$line" =~ ^[A-Za-z0-9._/~-]+$ ]]; then
      count=$((count + 1))
    else
      printf '%s\n' "$line" >&2
    fi
    if ((SECONDS - said >= 30)); then
      said=$SECONDS
      printf 'controlplane: %d of at most %d packages compiled after %dm%02ds\n' "$count" "$total" $((SECONDS / 60)) $((SECONDS % 60))
    fi
  done
}

want="$(inputs)"
if fresh "$want"; then
  echo "controlplane: up to date in $out"
  exit 0
fi

v="$(version)"
echo "controlplane: building Kubernetes $v, etcd, kwok and kubectl; from nothing this takes about 15 minutes on two cores, and later a minute"
total="$(go list -deps ./kubernetes ./kwok . | wc -l)"
work="$(mktemp -d "$out/.build.XXXXXX")"
trap 'rm -rf "$work"' EXIT
go build -v -ldflags "$(ldflags "$v")" -o "$work/" ./kubernetes ./kwok 2>&1 | progress "$total"
go build -ldflags "$(ldflags "$v")" -o "$work/kubectl" .
mv -f "$work/kubernetes" "$work/kwok" "$work/kubectl" "$out/"
for name in "${names[@]}"; do
  ln -sf kubernetes "$out/$name"
done
echo "$want" >"$stamp"
printf 'controlplane: built in %dm%02ds\n' $((SECONDS / 60)) $((SECONDS % 60))
