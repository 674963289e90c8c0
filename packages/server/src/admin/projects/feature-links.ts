import { invalid, notFound } from '@burgee/kit/input/refusals'
import {
  type FeatureLink,
  type LinkInput,
  type LinkTemplate,
  type LinkTemplateInput,
  MAX_LINKS,
} from '@burgee/protocol/administration/feature-link'
import { Problem } from '@burgee/protocol/problem'
import type { Reader, Tx } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import { insertLinks, readLinksOfFlags } from '@burgee/storage/queries/projects/feature-links'
import type { Change, ChangeContext } from '../../core/execute.ts'
import { type FeatureRef, requireLive } from '../flags/feature-ref.ts'

/** Placeholders of link templates. */
const PLACEHOLDERS: Readonly<Record<string, (ref: FeatureRef) => string>> = {
  project: ({ project }) => project,
  feature: ({ feature }) => feature,
}
const PLACEHOLDER = /\{\{\s*(\w*)\s*\}\}/g

/** Validates link templates for storage; null means none. Throws ValidationError for a template that is not a URL. */
export function checkTemplates(templates: readonly LinkTemplateInput[] | null): LinkTemplate[] {
  return (templates ?? []).map(({ title, urlTemplate }, index) => {
    const path = `body/linkTemplates/${index}/urlTemplate`
    for (const [place, name = ''] of urlTemplate.matchAll(PLACEHOLDER)) {
      if (Object.hasOwn(PLACEHOLDERS, name)) continue
      throw invalid(`"urlTemplate" may contain {{project}} and {{feature}}, but not ${place}`, path)
    }
    requireHttpUrl(fillTemplate(urlTemplate, { project: 'project', feature: 'feature' }), path)
    return { title: title || null, urlTemplate }
  })
}

function fillTemplate(template: string, ref: FeatureRef): string {
  return template.replace(PLACEHOLDER, (_place, name: string) => encodeURIComponent(PLACEHOLDERS[name]?.(ref) ?? ''))
}

function requireHttpUrl(url: string, path: string): void {
  const parsed = URL.parse(url)
  if ((parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') || /\s/.test(url)) {
    throw invalid(`"${path.split('/').at(-1)}" must be an address that begins with http:// or https://`, path)
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw invalid(`"${path.split('/').at(-1)}" must not contain a user or a password`, path)
  }
}

/** Adds the links that the project's link templates define to a new flag. */
export async function addProjectLinks(
  tx: Tx,
  templates: readonly LinkTemplate[],
  ref: FeatureRef,
  { newId }: Pick<ChangeContext, 'newId'>,
): Promise<NewEvent[]> {
  const links = templates.map(({ title, urlTemplate }) => ({ id: newId(), url: fillTemplate(urlTemplate, ref), title }))
  await insertLinks(tx, ref.feature, links, 0)
  return links.map((data) => ({ type: 'feature-link-added', ...toEventScope(ref), data }))
}

/** Appends a link. Throws NotFoundError, ValidationError, and InvalidOperationError if the limit is reached. */
export const addLink: Change<FeatureRef & { body: LinkInput }, FeatureLink> = async (tx, { body, ...ref }, context) => {
  const own = await readLinks(tx, ref)
  if (own.length >= MAX_LINKS) {
    throw new Problem('InvalidOperationError', `The flag "${ref.feature}" has ${own.length} links, the maximum.`)
  }
  const link = { id: context.newId(), ...checkLink(body) }
  const last = await readLastOrder(tx, ref.feature)
  await insertLinks(tx, ref.feature, [link], last + 1)
  return { result: link, events: [{ type: 'feature-link-added', ...toEventScope(ref), data: link }] }
}

/**
 * Updates a link; an omitted title keeps its value, and no event is created if nothing changes. Throws NotFoundError,
 * ValidationError.
 */
export const updateLink: Change<FeatureRef & { id: string; body: LinkInput }, void> = async (
  tx,
  { id, body, ...ref },
) => {
  const before = await requireLink(tx, ref, id)
  const { url, title } = checkLink({ url: body.url, title: body.title === undefined ? before.title : body.title })
  if (url === before.url && title === before.title) return { result: undefined, events: [] }
  await tx.updateTable('feature_links').set({ url, title }).where('id', '=', id).execute()
  const states = { data: { id, url, title }, preData: before }
  return { result: undefined, events: [{ type: 'feature-link-updated', ...toEventScope(ref), ...states }] }
}

/** Removes a link. Throws NotFoundError. */
export const removeLink: Change<FeatureRef & { id: string }, void> = async (tx, { id, ...ref }) => {
  const preData = await requireLink(tx, ref, id)
  const undo = { index: (await readLinks(tx, ref)).findIndex((one) => one.id === id) }
  await tx.deleteFrom('feature_links').where('id', '=', id).execute()
  return { result: undefined, events: [{ type: 'feature-link-removed', ...toEventScope(ref), preData, undo }] }
}

function checkLink({ url, title }: LinkInput): Omit<FeatureLink, 'id'> {
  requireHttpUrl(url, 'body/url')
  return { url, title: title || null }
}

async function readLinks(reader: Reader, ref: FeatureRef): Promise<readonly FeatureLink[]> {
  await requireLive(reader, ref)
  return (await readLinksOfFlags(reader, [ref.feature])).get(ref.feature) ?? []
}

async function requireLink(reader: Reader, ref: FeatureRef, id: string): Promise<FeatureLink> {
  const link = (await readLinks(reader, ref)).find((one) => one.id === id)
  if (link !== undefined) return link
  throw notFound(`The flag "${ref.feature}" has no link with the id "${id}".`)
}

async function readLastOrder(reader: Reader, feature: string): Promise<number> {
  const row = await reader
    .selectFrom('feature_links')
    .select(({ fn }) => fn.max<number | null>('sort_order').as('last'))
    .where('feature_name', '=', feature)
    .executeTakeFirst()
  return row?.last ?? -1
}

function toEventScope({ project, feature }: FeatureRef) {
  return { project, featureName: feature }
}
