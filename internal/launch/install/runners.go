package install

// runnerOf is what reads a program that fetches and runs others, nil for any
// other program.
func runnerOf(name string) func(r *reader, args []word, depth int) {
	switch name {
	case "npx", "pnpx", "bunx":
		return func(r *reader, args []word, depth int) { r.runNPM(name, args, depth) }
	case "node":
		return (*reader).node
	case "npm", "pnpm", "yarn", "bun":
		return func(r *reader, args []word, depth int) { r.npmSubcommands(name, args, depth) }
	case "uvx":
		return func(r *reader, args []word, depth int) { r.uvTool(name, args, depth) }
	case "uv":
		return (*reader).uv
	case "pipx":
		return (*reader).pipx
	case "pip":
		return func(r *reader, args []word, _ int) { r.pip(name, args) }
	case "python", "pypy", "py":
		return (*reader).python
	case "docker", "podman", "nerdctl":
		return func(r *reader, args []word, depth int) { r.container(name, args, depth) }
	case "deno":
		return (*reader).deno
	case "go":
		return (*reader).golang
	case "cargo":
		return (*reader).cargo
	case "dotnet", "dnx":
		return func(r *reader, args []word, _ int) { r.dotnet(name, args) }
	case "nix":
		return (*reader).nix
	case "java":
		return (*reader).java
	case "jbang":
		return (*reader).jbang
	case "gem":
		return (*reader).gem
	case "mise", "rtx":
		return (*reader).mise
	case "git":
		return (*reader).git
	case "curl", "wget":
		return func(r *reader, args []word, _ int) { r.download(name, args) }
	case "smithery":
		return func(r *reader, args []word, _ int) { r.smithery(args) }
	case "sh", "bash", "zsh", "dash", "ash", "ksh", "mksh", "fish", "busybox":
		return func(r *reader, args []word, depth int) { r.shellProgram(name, args, depth) }
	case "powershell", "pwsh":
		return func(r *reader, args []word, depth int) { r.powerShellProgram(name, args, depth) }
	case "cmd":
		return (*reader).cmdProgram
	}
	return nil
}

// isRunner reports whether a program is one that is read here: it fetches, or
// starts another.
func isRunner(name string) bool {
	_, wraps := wrapperOf(name)
	return wraps || runnerOf(name) != nil
}
