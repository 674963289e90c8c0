import Type, { type Static } from 'typebox'

/** Links of flags, and what projects make them of. Source: wire protocol */

/** At most so many of one flag, and half of it templates of a project. */
export const MOST_LINKS = 50

/** An address that begins with http:// or https://: it is shown as a link, so that no other scheme may get in. */
export const WEB_ADDRESS = '^[hH][tT][tT][pP][sS]?://\\S+$'

const Title = Type.Optional(Type.Union([Type.String({ maxLength: 200 }), Type.Null()]))

/** Body of a link of a flag. */
export const LinkInput = Type.Object({ url: Type.String({ maxLength: 2000, pattern: WEB_ADDRESS }), title: Title })
export type LinkInput = Static<typeof LinkInput>

/** A link of a flag. */
export const FeatureLink = Type.Object({
  id: Type.String(),
  url: Type.String(),
  title: Type.Union([Type.String(), Type.Null()]),
})
export type FeatureLink = Static<typeof FeatureLink>

/** What new flags of a project get a link of: `{{project}}` and `{{feature}}` stand for the id and the name. */
export const LinkTemplateInput = Type.Object({
  title: Title,
  urlTemplate: Type.String({ maxLength: 2000, pattern: '^[hH][tT][tT][pP][sS]?://' }),
})
export type LinkTemplateInput = Static<typeof LinkTemplateInput>

/** A template as it is shown. */
export const LinkTemplate = Type.Object({
  title: Type.Union([Type.String(), Type.Null()]),
  urlTemplate: Type.String(),
})
export type LinkTemplate = Static<typeof LinkTemplate>
