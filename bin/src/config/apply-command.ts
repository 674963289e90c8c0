import { escapeNames } from '@burgee/kit/terminal-text'
import { sendApply } from './config-client.ts'
import { APPLY_OPTIONS } from './config-options.ts'
import { listProjects, parseFolderOptions, readBody } from './config-projects.ts'

/**
 * Runs `burgee apply [DIR] --plan HASH`: applies plans. Each project is applied completely or not at all; the projects
 * are applied one after the other, and the first failure ends the command.
 */
export async function runApply(argv: readonly string[]): Promise<string> {
  const { folder, options } = parseFolderOptions(APPLY_OPTIONS, argv)
  const places = listProjects(folder, options.project)
  const { plan: hashes = [] } = options
  if (hashes.length !== places.length) {
    throw new Error(
      `Give --plan with ${places.length === 1 ? 'the hash' : `${places.length} hashes`} that "burgee plan" printed`,
    )
  }
  const lines: string[] = []
  for (const [index, place] of places.entries()) {
    const body = { ...readBody(place, options), plan: hashes[index] ?? '' }
    const { applied, changeRequests } = await sendApply(options, place, body)
    lines.push(`Project ${place.project}: ${applied} ${applied === 1 ? 'change' : 'changes'} applied`)
    for (const { id, environment, title, changes } of escapeNames(changeRequests)) {
      lines.push(
        `  change request ${id} in ${environment}, "${title}": ${changes} ${changes === 1 ? 'change' : 'changes'}`,
      )
    }
  }
  return lines.join('\n')
}
