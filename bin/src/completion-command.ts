import { didYouMean, nearestName } from '@burgee/kit/options/nearest'
import type { OptionTable } from '@burgee/kit/options/options'
import { completionScript, flagsOf, SHELLS } from './completion.ts'

/** Parts of a command needed for completion. */
interface Known {
  readonly summary: string
  readonly takesFile?: boolean
  readonly options: () => Promise<OptionTable>
}

/** Runs `burgee completion SHELL`. Returns the script to print. */
export async function runCompletion(
  argv: readonly string[],
  commands: Readonly<Record<string, Known>>,
): Promise<string> {
  const [word = '', ...more] = argv
  const shell = SHELLS.find((one) => one === word)
  if (shell === undefined || more.length > 0) {
    const nearest = nearestName(word, SHELLS)
    throw new Error(`Name one shell: burgee completion ${SHELLS.join('|')}${didYouMean(nearest)}`)
  }
  const all = Object.entries(commands).map(async ([name, { summary, takesFile = false, options }]) => {
    return { name, summary, takesFile, flags: flagsOf(await options()) }
  })
  return completionScript(shell, await Promise.all(all))
}
