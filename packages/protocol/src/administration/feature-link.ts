import Type, { type Static } from 'typebox'

/** Schemas for links on flags and for the link templates of projects. Source: wire protocol */

/** Maximum number of links per flag. A project can have half as many link templates. */
export const MAX_LINKS = 50

/**
 * Pattern for http:// and https:// addresses. Addresses with other schemes are rejected, because the UI displays
 * addresses as links.
 */
export const WEB_ADDRESS = '^[hH][tT][tT][pP][sS]?://\\S+$'

const Title = Type.Optional(Type.Union([Type.String({ maxLength: 200 }), Type.Null()]))

/** Body of a new or changed link on a flag. */
export const LinkInput = Type.Object({ url: Type.String({ maxLength: 2000, pattern: WEB_ADDRESS }), title: Title })
export type LinkInput = Static<typeof LinkInput>

/** Link on a flag. */
export const FeatureLink = Type.Object({
  id: Type.String(),
  url: Type.String(),
  title: Type.Union([Type.String(), Type.Null()]),
})
export type FeatureLink = Static<typeof FeatureLink>

/**
 * Template for a link that new flags of a project get. `{{project}}` and `{{feature}}` stand for the project id and the
 * flag name.
 */
export const LinkTemplateInput = Type.Object({
  title: Title,
  urlTemplate: Type.String({ maxLength: 2000, pattern: '^[hH][tT][tT][pP][sS]?://' }),
})
export type LinkTemplateInput = Static<typeof LinkTemplateInput>

/** Link template as the admin API returns it. */
export const LinkTemplate = Type.Object({
  title: Type.Union([Type.String(), Type.Null()]),
  urlTemplate: Type.String(),
})
export type LinkTemplate = Static<typeof LinkTemplate>
