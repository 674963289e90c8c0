import Type, { type Static } from 'typebox'

/** JSON Patch (RFC 6902). */
export const Patch = Type.Array(
  Type.Object({
    op: Type.Enum(['add', 'remove', 'replace', 'copy', 'move', 'test']),
    path: Type.String({ maxLength: 1000 }),
    from: Type.Optional(Type.String({ maxLength: 1000 })),
    value: Type.Optional(Type.Unknown()),
  }),
  { maxItems: 1000 },
)
export type Patch = Static<typeof Patch>
