import Type, { type Static } from 'typebox'

/**
 * Schemas for code references: places in source code where a flag is evaluated. See the wire protocol, section "Code
 * references"; uploads use the same routes as `ld-find-code-refs` 2.
 */

/** Maximum number of references in one upload. */
export const MAX_REFERENCES = 20_000
/** Maximum total number of references, in all branches of all repositories. */
export const MAX_STORED_REFERENCES = 200_000
/**
 * Maximum number of references to a flag in a branch for which the place is stored. References beyond this number are
 * only counted.
 */
export const MAX_PLACES = 200
/** Maximum number of repositories. */
export const MAX_REPOSITORIES = 500
/** Maximum number of branches per repository. */
export const MAX_BRANCHES = 100

const Name = Type.String({ minLength: 1, maxLength: 250 })
/** Web address or an empty string. Other schemes are rejected, because the UI displays addresses as links. */
const Address = Type.String({ maxLength: 2000, pattern: '^([hH][tT][tT][pP][sS]?://\\S+)?$' })
const Revision = Type.String({ maxLength: 250 })

const REPOSITORY = {
  name: Type.String({ maxLength: 100, pattern: '^[A-Za-z0-9._-]+$' }),
  type: Type.String({ maxLength: 50, description: '`github`, `gitlab`, `bitbucket` or `custom`.' }),
  sourceLink: Address,
  commitUrlTemplate: { ...Address, description: `Link to a commit, with \`\${sha}\` and \`\${branchName}\`.` },
  hunkUrlTemplate: {
    ...Address,
    description: `Link to a line, with \`\${sha}\`, \`\${filePath}\` and \`\${lineNumber}\`.`,
  },
  defaultBranch: Type.String({ maxLength: 250 }),
}

/** Repository whose code evaluates flags. */
export const CodeRepository = Type.Object({ ...REPOSITORY, enabled: Type.Boolean() })
export type CodeRepository = Static<typeof CodeRepository>

/** Body of a new repository. */
export const CodeRepositoryInput = Type.Object({
  name: REPOSITORY.name,
  type: Type.Optional(REPOSITORY.type),
  sourceLink: Type.Optional(REPOSITORY.sourceLink),
  commitUrlTemplate: Type.Optional(REPOSITORY.commitUrlTemplate),
  hunkUrlTemplate: Type.Optional(REPOSITORY.hunkUrlTemplate),
  defaultBranch: Type.Optional(REPOSITORY.defaultBranch),
})
export type CodeRepositoryInput = Static<typeof CodeRepositoryInput>

/** Merge patch that changes a repository. The name cannot be changed; null resets a property. */
export const CodeRepositoryPatch = Type.Object({
  type: Type.Optional(Type.Union([REPOSITORY.type, Type.Null()])),
  sourceLink: Type.Optional(Type.Union([REPOSITORY.sourceLink, Type.Null()])),
  commitUrlTemplate: Type.Optional(Type.Union([REPOSITORY.commitUrlTemplate, Type.Null()])),
  hunkUrlTemplate: Type.Optional(Type.Union([REPOSITORY.hunkUrlTemplate, Type.Null()])),
  defaultBranch: Type.Optional(Type.Union([REPOSITORY.defaultBranch, Type.Null()])),
})
export type CodeRepositoryPatch = Static<typeof CodeRepositoryPatch>

/** Lines of code in which a flag is evaluated. */
const Hunk = Type.Object({
  startingLineNumber: Type.Integer({ minimum: 0, maximum: 10_000_000 }),
  lines: Type.Optional(Type.String()),
  projKey: Name,
  flagKey: Name,
  aliases: Type.Optional(Type.Array(Type.String({ maxLength: 250 }), { maxItems: 100 })),
  contentHash: Type.Optional(Type.String({ maxLength: 250 })),
})

const Time = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 })

/** Body of an upload, which contains all references in a branch. Times are milliseconds since 1970. */
export const CodeBranchInput = Type.Object({
  name: Type.Optional(Name),
  head: Revision,
  updateSequenceId: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  syncTime: Time,
  commitTime: Type.Optional(Time),
  references: Type.Optional(
    Type.Array(Type.Object({ path: Type.String({ minLength: 1, maxLength: 1000 }), hunks: Type.Array(Hunk) })),
  ),
})
export type CodeBranchInput = Static<typeof CodeBranchInput>

const CodeBranch = Type.Object({
  name: Type.String(),
  head: Type.String(),
  updateSequenceId: Type.Optional(Type.Integer()),
  syncTime: Type.Integer(),
  commitTime: Type.Optional(Type.Integer()),
})
/** Branch of a repository. Times are milliseconds since 1970. */
export type CodeBranch = Static<typeof CodeBranch>

/** Branches of a repository. */
export const CodeBranches = Type.Object({ items: Type.Array(CodeBranch) })

/** Body of the deletion of branches. */
export const CodeBranchNames = Type.Array(Name, { maxItems: 1000 })

/** Body that lists flags whose last reference was removed from a branch. */
export const CodeExtinctions = Type.Array(
  Type.Object({
    revision: Revision,
    message: Type.String({ description: 'Only the first line is stored.' }),
    time: Time,
    projKey: Name,
    flagKey: Name,
  }),
  { maxItems: 5000 },
)
export type CodeExtinctions = Static<typeof CodeExtinctions>

/** Keys of environments. */
export const KeyList = Type.Object({ items: Type.Array(Type.Object({ key: Type.String() })) })

/** Page of flag names. `next` is missing on the last page. */
export const FlagKeyList = Type.Object({
  items: Type.Array(Type.Object({ key: Type.String() })),
  totalCount: Type.Integer(),
  _links: Type.Object({ next: Type.Optional(Type.Object({ href: Type.String() })) }),
})
export type FlagKeyList = Static<typeof FlagKeyList>
