import { parseOptions } from '@burgee/kit/options/options'
import { escapeNames } from '@burgee/kit/terminal-text'
import { fetchExport } from './config-client.ts'
import { writeConfigFolder } from './config-folder.ts'
import { EXPORT_OPTIONS } from './config-options.ts'
import { listProjects } from './config-projects.ts'

/**
 * Runs `burgee export`: writes the flags of projects as files. Returns a summary or, if no folder is given, the files.
 */
export async function runExport(argv: readonly string[]): Promise<string> {
  const { project: projects, out, flag, ...server } = parseOptions(EXPORT_OPTIONS, { env: process.env, argv })
  const lines: string[] = []
  for (const place of listProjects(out ?? '.', projects)) {
    const { files } = await fetchExport(server, place, flag)
    if (out === undefined) {
      lines.push(
        files
          .map(({ path, content }) => `# ${path}\n${content}`)
          .join('---\n')
          .trimEnd(),
      )
      continue
    }
    const { written, others } = writeConfigFolder(place.folder, files)
    lines.push(`Project ${place.project}: ${files.length} files in ${place.folder}, ${written} of them new or changed`)
    // an export of a single flag is not expected to include the other files
    if (flag === undefined) lines.push(...escapeNames(others.map((path) => `  not in the project: ${path}`)))
  }
  return lines.join('\n')
}
