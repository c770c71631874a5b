// Kubectl, which build.sh builds under that name. It is a binary of its own, as with its templates
// the linker can leave nothing out, which would make the control plane larger.
package main

import (
	"k8s.io/component-base/cli"
	"k8s.io/kubectl/pkg/cmd"
	"k8s.io/kubectl/pkg/cmd/util"
)

func main() {
	if err := cli.RunNoErrOutput(cmd.NewDefaultKubectlCommand()); err != nil {
		util.CheckErr(err) // prints it and exits
	}
}
