import type { ConfigFileKind } from '@burgee/protocol/administration/config-files'

/** Objects that a request would change. */
export interface ChangedObjects {
  readonly kind: ConfigFileKind
  /** Project that the path of the request names; undefined if there is none. */
  readonly project: string | undefined
  /** Names of flags and context fields; ids of segments and release templates. */
  readonly keys: readonly string[]
}

const FLAG = /^\/api\/admin\/projects\/([^/]+)\/features\/([^/?]+)(\/[^?]*)?/
/** Paths below a flag whose changes a file does not describe. */
const OTHER =
  /^\/(clone|comments?|links?|self-targeting|snooze|complete|uncomplete|history|impact|presence|favou?rites?)\b/
const TAGS = /^\/api\/admin\/features\/([^/?]+)\/tags/
const SEVERAL = /^\/api\/admin\/projects\/([^/]+)\/(?:archive|stale|bulk_features)\b/
const SHARED = /^\/api\/admin\/(segments|context|release-plan-templates)\/(?:archive\/)?([^/?]+)/
const SHARED_KINDS: Readonly<Record<string, ConfigFileKind>> = {
  segments: 'Segment',
  context: 'ContextField',
  'release-plan-templates': 'ReleaseTemplate',
}

/** Returns the objects that a request would change in a way that files describe. */
export function listChangedObjects(path: string, body: unknown): ChangedObjects {
  const [, project, feature, below = ''] = FLAG.exec(path) ?? []
  if (project !== undefined && feature !== undefined) {
    return listFlags(project, OTHER.test(below) ? [] : [decodeURIComponent(feature)])
  }
  const [, tagged] = TAGS.exec(path) ?? []
  if (tagged !== undefined) return listFlags(undefined, [decodeURIComponent(tagged)])
  const [, objects = '', key = ''] = SHARED.exec(path) ?? []
  const kind = SHARED_KINDS[objects]
  if (kind !== undefined) return { kind, project: undefined, keys: [decodeURIComponent(key)] }
  const [, ofProject] = SEVERAL.exec(path) ?? []
  const { features } = (body ?? {}) as { readonly features?: unknown }
  const isBulk = ofProject !== undefined || path.startsWith('/api/admin/tags/features')
  const names = isBulk && Array.isArray(features) ? features.filter((name) => typeof name === 'string') : []
  return listFlags(ofProject, names)
}

function listFlags(project: string | undefined, keys: readonly string[]): ChangedObjects {
  return { kind: 'Flag', project: project === undefined ? undefined : decodeURIComponent(project), keys }
}
