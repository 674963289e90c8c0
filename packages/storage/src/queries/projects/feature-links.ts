import type { FeatureLink } from '@burgee/protocol/administration/feature-link'
import { chunks } from '../../chunks.ts'
import type { Reader, Tx } from '../../database.ts'

/** Returns the web links of flags in display order, by flag name. Needs one query for every five hundred flags. */
export async function readLinksOfFlags(reader: Reader, names: readonly string[]): Promise<Map<string, FeatureLink[]>> {
  const found = new Map<string, FeatureLink[]>()
  for (const part of chunks(names)) {
    const rows = await reader
      .selectFrom('feature_links')
      .select(['feature_name', 'id', 'url', 'title'])
      .where('feature_name', 'in', part)
      .orderBy('sort_order')
      .orderBy('id')
      .execute()
    for (const { feature_name, ...link } of rows) found.set(feature_name, [...(found.get(feature_name) ?? []), link])
  }
  return found
}

/** Appends web links to a flag. */
export async function insertLinks(tx: Tx, feature: string, links: readonly FeatureLink[], from: number): Promise<void> {
  if (links.length === 0) return
  const rows = links.map((link, index) => ({ ...link, feature_name: feature, sort_order: from + index }))
  await tx.insertInto('feature_links').values(rows).execute()
}
