import { isObject } from '@burgee/kit/input/is-object'
import type { Tag } from '@burgee/protocol/event'
import type { Feature } from '@burgee/protocol/feature'

/**
 * Returns the tags of a flag, or undefined if the document does not state them. Bootstrap files can contain tags;
 * replies of `GET /api/client/features` do not.
 */
export function findDocumentTags(feature: Feature): readonly Tag[] | undefined {
  const { tags } = feature as { readonly tags?: unknown }
  return Array.isArray(tags) && tags.every(isTag) ? tags : undefined
}

function isTag(value: unknown): value is Tag {
  return isObject(value) && typeof value.type === 'string' && typeof value.value === 'string'
}
