package main

import (
	"strings"

	"github.com/drover-go/drover/functions"
)

// programFlags say as whom published programs are built and run; empty and 0 are the
// library's defaults.
type programFlags struct {
	ProgramsIsolation string `group:"programs" enum:"auto,required,off" default:"auto" env:"DROVER_PROGRAMS_ISOLATION" help:"Users of their own for processes of published programs: auto has them where the host is root, required refuses programs elsewhere, off runs them as the host's user. Default ${default}." placeholder:"auto|required|off"`
	ProgramsFirstUser int    `group:"programs" env:"DROVER_PROGRAMS_FIRST_USER" help:"First of the numbers of these users and their groups, which nobody else on the machine has. Default 60706." placeholder:"UID"`
	ProgramsUsers     int    `group:"programs" env:"DROVER_PROGRAMS_USERS" help:"How many numbers there are, half of them for users. Default 478." placeholder:"N"`
	ProgramsSandbox   string `group:"programs" env:"DROVER_PROGRAMS_SANDBOX" help:"Command in front of every process of a program and of a build, its words with spaces between: the first is an absolute path; {dir} is where the process starts, {home} its own directory. Default none." placeholder:"COMMAND"`
}

func (p programFlags) apply(o *functions.ProgramOptions) {
	o.Isolation = functions.Isolation{
		Off: p.ProgramsIsolation == "off", Required: p.ProgramsIsolation == "required",
		FirstUser: p.ProgramsFirstUser, Users: p.ProgramsUsers, Sandbox: strings.Fields(p.ProgramsSandbox),
	}
}
