/** Flags that a request would change. `project` is undefined if the request does not name it. */
export interface ChangedFlags {
  readonly project: string | undefined
  readonly names: readonly string[]
}

const FLAG = /^\/api\/admin\/projects\/([^/]+)\/features\/([^/?]+)(\/[^?]*)?/
/** Paths below a flag whose changes a file does not describe. */
const OTHER =
  /^\/(clone|comments?|links?|self-targeting|snooze|complete|uncomplete|history|impact|presence|favou?rites?)\b/
const TAGS = /^\/api\/admin\/features\/([^/?]+)\/tags/
const SEVERAL = /^\/api\/admin\/projects\/([^/]+)\/(?:archive|stale|bulk_features)\b/

/** Returns the flags that a request would change in a way that files describe. */
export function listChangedFlags(path: string, body: unknown): ChangedFlags {
  const [, project, feature, below = ''] = FLAG.exec(path) ?? []
  if (project !== undefined && feature !== undefined) {
    const names = OTHER.test(below) ? [] : [decodeURIComponent(feature)]
    return { project: decodeURIComponent(project), names }
  }
  const [, tagged] = TAGS.exec(path) ?? []
  if (tagged !== undefined) return { project: undefined, names: [decodeURIComponent(tagged)] }
  const { features } = (body ?? {}) as { readonly features?: unknown }
  const [, ofProject] = SEVERAL.exec(path) ?? []
  if (!Array.isArray(features) || (ofProject === undefined && !path.startsWith('/api/admin/tags/features')))
    return { project: undefined, names: [] }
  const names = features.filter((name) => typeof name === 'string')
  return { project: ofProject === undefined ? undefined : decodeURIComponent(ofProject), names }
}
