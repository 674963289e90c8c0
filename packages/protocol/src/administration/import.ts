import Type, { type Static } from 'typebox'
import { MOST_IMPORTED_CHARACTERS } from './import-limits.ts'

/** What administrators can bring in: a server that is asked, or what stands in a file. */
export const ImportKind = Type.Union([
  Type.Literal('unleash-api'),
  Type.Literal('unleash-state'),
  Type.Literal('unleash-export'),
  Type.Literal('client-features'),
  Type.Literal('launchdarkly'),
  Type.Literal('flagd'),
  Type.Literal('flagsmith'),
])
export type ImportKind = Static<typeof ImportKind>

const Name = Type.String({ minLength: 1, maxLength: 100 })

/** What is to be brought in. */
export const ImportWish = Type.Object({
  kind: ImportKind,
  /** Of a file all that stands in it. */
  content: Type.Optional(Type.String({ minLength: 1, maxLength: MOST_IMPORTED_CHARACTERS })),
  /** Of a server, and a token of an administrator there. */
  address: Type.Optional(Type.String({ minLength: 1, maxLength: 2000 })),
  token: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
  /** Where flags come that do not say it. */
  project: Type.Optional(Name),
  environment: Type.Optional(Name),
  /** Switches off flags that are on without an enabled strategy; otherwise they get one for everyone, as SDKs take them. */
  closeUnguarded: Type.Optional(Type.Boolean()),
})
export type ImportWish = Static<typeof ImportWish>

/** The same, once its plan was seen. */
export const ImportRequest = Type.Object({
  ...ImportWish.properties,
  /** `plan` of that plan: what would be done otherwise by now is not done. */
  plan: Type.String({ minLength: 1, maxLength: 100 }),
})
export type ImportRequest = Static<typeof ImportRequest>

const ImportNote = Type.Object({
  kind: Type.String(),
  name: Type.String(),
  fidelity: Type.Union([Type.Literal('exact'), Type.Literal('approximated'), Type.Literal('not carried')]),
  words: Type.String(),
})
export type ImportNote = Static<typeof ImportNote>

const report = {
  /** What was read, in words. */
  source: Type.String(),
  counts: Type.Array(
    Type.Object({
      kind: Type.String(),
      found: Type.Integer(),
      imported: Type.Integer(),
      skipped: Type.Integer(),
    }),
  ),
  /** What is to be said of single things; the first thousand. */
  notes: Type.Array(ImportNote),
  /** How many notes there are. */
  noteCount: Type.Integer(),
}

/** What would be brought in. */
export const ImportPlan = Type.Object({ plan: Type.String(), ...report })
export type ImportPlan = Static<typeof ImportPlan>

/** What was brought in, and what a comparison of both sides has shown. */
export const ImportResult = Type.Object({
  ...report,
  verified: Type.Object({
    equal: Type.Boolean(),
    flags: Type.Integer(),
    /** For how many contexts all flags were evaluated, at least. */
    contexts: Type.Integer(),
    environments: Type.Integer(),
    /** Flags that differ in what the notes do not tell of; the first hundred. */
    differences: Type.Array(Type.Object({ environment: Type.String(), flag: Type.String(), words: Type.String() })),
    /** Flags that differ as the notes say. */
    told: Type.Array(Type.String()),
    /** Whether the source itself gave what SDKs get there; `reading`: it was derived from what was read. */
    against: Type.Union([Type.Literal('source'), Type.Literal('reading')]),
    /** Why nothing could be compared; what came stays. Left out where it could. */
    failure: Type.Optional(Type.String()),
  }),
})
export type ImportResult = Static<typeof ImportResult>
