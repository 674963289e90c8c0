import { compareText } from '@burgee/kit/compare-text'
import type { ProjectApplication, ProjectApplicationSearch, ProjectApplications } from '@burgee/protocol/application'
import type { Reader } from '@burgee/storage/database'
import {
  listProcesses,
  listProjectApplications,
  readFirstSeenTimes,
} from '@burgee/storage/queries/usage/project-applications'
import { requireProject } from '../../core/project-ref.ts'

const DEFAULT_PAGE_SIZE = 25

/**
 * Lists applications that evaluate flags in a project, with their instances in the project. The list is sorted by name
 * or by the time of the first report. Throws NotFoundError.
 */
export async function readProjectApplications(
  reader: Reader,
  project: string,
  {
    query = '',
    limit = DEFAULT_PAGE_SIZE,
    offset = 0,
    sortBy = 'appName',
    sortOrder = 'asc',
  }: ProjectApplicationSearch,
  hidden: readonly string[] = [],
): Promise<ProjectApplications> {
  await requireProject(reader, project)
  const places = Map.groupBy(await listProjectApplications(reader, project), ({ app_name }) => app_name)
  const sign = sortOrder === 'desc' ? -1 : 1
  const times = sortBy === 'createdAt' ? await readFirstSeenTimes(reader) : new Map<string, number>()
  const timeOf = (name: string) => times.get(name) ?? 0
  const found = [...places.keys()]
    .filter((name) => name.toLowerCase().includes(query.toLowerCase()))
    .sort((a, b) => sign * (timeOf(a) - timeOf(b) || compareText(a, b)))
  const page = found.slice(offset, offset + limit)
  const processes = Map.groupBy(await listProcesses(reader, page, hidden), ({ app_name }) => app_name)
  const applications = page.map((name): ProjectApplication => {
    const environments = sortDistinct((places.get(name) ?? []).map(({ environment }) => environment))
    const own = (processes.get(name) ?? []).filter(({ environment }) => environments.includes(environment))
    return {
      name,
      environments,
      instances: sortDistinct(own.map(({ instance_id }) => instance_id)),
      sdks: parseSdks(own.flatMap(({ sdk_version }) => sdk_version ?? [])),
    }
  })
  return { applications, total: found.length }
}

/** Splits `unleash-client-node:6.1.0` into name and version; text without a colon is a name without versions. */
function parseSdks(texts: readonly string[]): ProjectApplication['sdks'] {
  const byName = Map.groupBy(texts, (text) => text.split(':', 1)[0] ?? '')
  return sortDistinct([...byName.keys()]).map((name) => ({
    name,
    versions: sortDistinct(
      (byName.get(name) ?? []).map((text) => text.slice(name.length + 1)).filter((one) => one !== ''),
    ),
  }))
}

const sortDistinct = (texts: readonly string[]) => [...new Set(texts)].sort(compareText)
