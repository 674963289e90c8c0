import Type, { type Static } from 'typebox'

/** Schemas for the removal of a flag from source code. Source: wire protocol "Code references" */

/**
 * Number of days for which a flag must have had the same result for all users before it counts as ready to be removed.
 */
export const SAME_RESULT_DAYS = 30
/** Maximum number of code references in a response. */
export const MAX_LISTED_REFERENCES = 1000

/** Path through the code that remains when the flag is removed. */
export const KeptPath = Type.Object({
  path: Type.Enum(['enabled', 'disabled', 'variant']),
  variant: Type.Optional(Type.String({ description: 'Name of the variant, if `path` is `variant`.' })),
})
export type KeptPath = Static<typeof KeptPath>

/** Reason why a flag cannot yet be removed from the code (`code`) or cannot yet be archived (`archive`). */
export const RemovalBlocker = Type.Object({
  kind: Type.Enum(['evaluated', 'children', 'plan', 'changeRequest', 'references', 'targeting']),
  blocks: Type.Enum(['code', 'archive']),
  text: Type.String(),
  link: Type.String({ description: 'Path of the page in the admin UI.' }),
})
export type RemovalBlocker = Static<typeof RemovalBlocker>

/** Place in the source code where a flag is evaluated. */
export const CodeReference = Type.Object({
  repository: Type.String(),
  branch: Type.String(),
  isDefaultBranch: Type.Boolean(),
  revision: Type.String(),
  path: Type.String(),
  line: Type.Integer(),
  lines: Type.Optional(Type.String({ description: 'Source lines, if the scanner sent them.' })),
  url: Type.Optional(Type.String({ description: 'Link to the line, if the repository has a template for links.' })),
})
export type CodeReference = Static<typeof CodeReference>

/** Commit that removed the last reference to a flag from the default branch of a repository. */
export const CodeRemoval = Type.Object({
  repository: Type.String(),
  branch: Type.String(),
  revision: Type.String(),
  message: Type.String(),
  time: Type.String({ format: 'date-time' }),
  url: Type.Optional(Type.String()),
})
export type CodeRemoval = Static<typeof CodeRemoval>

/** Summary of the places of a flag in the code: still there, or removed. */
export const CodeStatus = Type.Object({
  references: Type.Integer({ description: 'References in default branches.' }),
  removal: Type.Union([CodeRemoval, Type.Null()], {
    description: 'Most recent commit that removed the flag from the default branch of a repository.',
  }),
})
export type CodeStatus = Static<typeof CodeStatus>

/** Assessment of whether a flag can be removed from the code: verdict, path that remains, and blockers. */
export const Removal = Type.Object({
  verdict: Type.Enum(['ready', 'notYet', 'keep'], {
    description:
      '`ready`: the flag can be removed from the code. `notYet`: blockers of `code` must be resolved first. `keep`: ' +
      'flags of this type are permanent.',
  }),
  keep: Type.Union([KeptPath, Type.Null()], {
    description: 'Computed by the engine; null if not all users get the same result in production.',
  }),
  since: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'Time since which all users have had this result.',
  }),
  evidence: Type.Array(Type.String()),
  blockers: Type.Array(RemovalBlocker),
  references: Type.Array(CodeReference, { maxItems: MAX_LISTED_REFERENCES }),
  referenceCount: Type.Integer({ description: 'References in default branches.' }),
  removals: Type.Array(CodeRemoval),
})
export type Removal = Static<typeof Removal>
