package world

import "syscall"

// endWithUs has the kernel end a process when the thread that started it ends.
func endWithUs() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
