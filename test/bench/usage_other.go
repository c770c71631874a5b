//go:build !linux

package main

import (
	"errors"
	"time"
)

var errNoUsage = errors.New("processor time and memory are measured on Linux only")

func cpuOf(int) (time.Duration, error) { return 0, errNoUsage }

func ownCPU() time.Duration { return 0 }

func residentOf(int) (float64, error) { return 0, errNoUsage }
