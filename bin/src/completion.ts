import { kebab, type OptionTable } from '@burgee/kit/options/options'

/** A command as a shell completes it: its words before the options, and its flags. */
export interface Completable {
  readonly name: string
  readonly summary: string
  readonly flags: readonly string[]
  /** Whether files may stand before the options. */
  readonly takesFile: boolean
}

/** Shells that scripts are made for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/** Flags of a table as they are written, those that turn something off included. */
export function flagsOf(table: OptionTable): string[] {
  return Object.entries(table)
    .filter(([, row]) => row.codeOnly !== true)
    .flatMap(([name, row]) => [`--${kebab(name)}`, ...(row.parse.isSwitch === true ? [`--no-${kebab(name)}`] : [])])
}

/** A script that teaches a shell the commands and their flags. It runs nothing when it completes. */
export function completionScript(shell: Shell, commands: readonly Completable[]): string {
  switch (shell) {
    case 'bash':
      return bash(commands)
    case 'zsh':
      return `#compdef burgee\nautoload -U +X bashcompinit && bashcompinit\n${bash(commands)}`
    case 'fish':
      return fish(commands)
  }
}

function bash(commands: readonly Completable[]): string {
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

function fish(commands: readonly Completable[]): string {
  const first = commands.map(
    ({ name, summary }) =>
      `complete -c burgee -n __fish_use_subcommand -a ${name} -d '${summary.replaceAll("'", "\\'")}'`,
  )
  const flags = commands.flatMap(({ name, flags: own }) =>
    own.map((flag) => `complete -c burgee -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice('--'.length)}`),
  )
  return ['# burgee: burgee completion fish > ~/.config/fish/completions/burgee.fish', ...first, ...flags].join('\n')
}
