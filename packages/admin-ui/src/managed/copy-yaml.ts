import type { ConfigExport } from '@burgee/protocol/administration/config-plan'
import type { FlagRef } from '../api/flags.ts'
import { buildPath, buildQueryString, call } from '../api/http.ts'

/** Copies the file of a flag, as `burgee export` writes it, to the clipboard. Throws ApiError. */
export async function copyYaml({ project, feature }: FlagRef): Promise<void> {
  const path = `${buildPath('api', 'admin', 'projects', project, 'config', 'export')}${buildQueryString({ flag: feature })}`
  const { files } = await call<ConfigExport>('GET', path)
  const file = files.find(({ content }) => content.startsWith('kind: Flag\n'))
  await navigator.clipboard.writeText(file?.content ?? '')
}
