import { findNearestName, formatSuggestion } from '@burgee/kit/options/nearest'
import type { OptionTable } from '@burgee/kit/options/options'
import { formatCompletionScript, listFlags, SHELLS } from './completion.ts'

/** Properties of a command that shell completion needs. */
interface CommandSummary {
  readonly summary: string
  readonly takesFile?: boolean
  readonly options: () => Promise<OptionTable>
}

/** Runs `burgee completion SHELL`. Returns the script to print. */
export async function runCompletion(
  argv: readonly string[],
  commands: Readonly<Record<string, CommandSummary>>,
): Promise<string> {
  const [word = '', ...more] = argv
  const shell = SHELLS.find((one) => one === word)
  if (shell === undefined || more.length > 0) {
    const nearest = findNearestName(word, SHELLS)
    throw new Error(`Name one shell: burgee completion ${SHELLS.join('|')}${formatSuggestion(nearest)}`)
  }
  const all = Object.entries(commands).map(async ([name, { summary, takesFile = false, options }]) => {
    return { name, summary, takesFile, flags: listFlags(await options()) }
  })
  return formatCompletionScript(shell, await Promise.all(all))
}
