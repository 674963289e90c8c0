import { type OptionTable, toKebabCase } from '@burgee/kit/options/options'

/** A command with its flags, for shell completion. */
export interface Completable {
  readonly name: string
  readonly summary: string
  readonly flags: readonly string[]
  /** True if file names may precede the options. */
  readonly takesFile: boolean
}

/** Supported shells. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/** Returns the flags of an option table as users type them, including `--no-` flags. */
export function listFlags(table: OptionTable): string[] {
  return Object.entries(table)
    .filter(([, row]) => row.codeOnly !== true)
    .flatMap(([name, row]) => [
      `--${toKebabCase(name)}`,
      ...(row.parse.isSwitch === true ? [`--no-${toKebabCase(name)}`] : []),
    ])
}

/** Returns a script that makes a shell complete commands and flags. The script runs no other program. */
export function formatCompletionScript(shell: Shell, commands: readonly Completable[]): string {
  switch (shell) {
    case 'bash':
      return formatBashScript(commands)
    case 'zsh':
      return `#compdef burgee\nautoload -U +X bashcompinit && bashcompinit\n${formatBashScript(commands)}`
    case 'fish':
      return formatFishScript(commands)
  }
}

function formatBashScript(commands: readonly Completable[]): string {
  const names = commands.map(({ name }) => name).join(' ')
  const cases = commands.map(({ name, flags, takesFile }) => {
    const files = takesFile ? ' -f' : ''
    return `    ${name}) COMPREPLY=($(compgen${files} -W "${[...flags, '--help'].join(' ')}" -- "$word")) ;;`
  })
  return `# burgee: put this into ~/.bashrc: eval "$(burgee completion bash)"
_burgee() {
  local word="\${COMP_WORDS[COMP_CWORD]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${names} help --help --version" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    help) COMPREPLY=($(compgen -W "${names}" -- "$word")) ;;
  esac
}
complete -o default -F _burgee burgee`
}

function formatFishScript(commands: readonly Completable[]): string {
  const first = commands.map(
    ({ name, summary }) =>
      `complete -c burgee -n __fish_use_subcommand -a ${name} -d '${summary.replaceAll("'", "\\'")}'`,
  )
  const flags = commands.flatMap(({ name, flags: own }) =>
    own.map((flag) => `complete -c burgee -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice('--'.length)}`),
  )
  return ['# burgee: burgee completion fish > ~/.config/fish/completions/burgee.fish', ...first, ...flags].join('\n')
}
