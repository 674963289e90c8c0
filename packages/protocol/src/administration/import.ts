import Type, { type Static } from 'typebox'
import { MAX_IMPORT_LENGTH } from './import-limits.ts'

/** Source of an import: a server to read from, or a file in some format. */
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

/** Import to plan. */
export const ImportPlanRequest = Type.Object({
  kind: ImportKind,
  /** Complete content of a file. */
  content: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_IMPORT_LENGTH })),
  /** Address of a server, with an administrator token for it. */
  address: Type.Optional(Type.String({ minLength: 1, maxLength: 2000 })),
  token: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
  /** Target project and environment for flags whose source does not specify them. */
  project: Type.Optional(Name),
  environment: Type.Optional(Name),
  /**
   * True to turn off imported flags that are on without an enabled strategy. If false, such a flag gets a strategy that
   * matches everyone, because SDKs treat a flag without strategies as on for everyone.
   */
  closeUnguarded: Type.Optional(Type.Boolean()),
})
export type ImportPlanRequest = Static<typeof ImportPlanRequest>

/** Import to run, after a preview has shown its plan. */
export const ImportRequest = Type.Object({
  ...ImportPlanRequest.properties,
  /** Value of `plan` in the preview. If the plan has changed since the preview, nothing is imported. */
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
  /** Description of the source. */
  source: Type.String(),
  counts: Type.Array(
    Type.Object({
      kind: Type.String(),
      found: Type.Integer(),
      imported: Type.Integer(),
      skipped: Type.Integer(),
    }),
  ),
  /** Notes on individual items of the import. Only the first thousand notes are included. */
  notes: Type.Array(ImportNote),
  /** Total number of notes. */
  noteCount: Type.Integer(),
}

/** Preview of an import. */
export const ImportPlan = Type.Object({ plan: Type.String(), ...report })
export type ImportPlan = Static<typeof ImportPlan>

/** Result of an import, including a comparison of the imported flags with the source. */
export const ImportResult = Type.Object({
  ...report,
  verified: Type.Object({
    equal: Type.Boolean(),
    flags: Type.Integer(),
    /** Number of contexts for which every flag was evaluated; some flags were evaluated for more. */
    contexts: Type.Integer(),
    environments: Type.Integer(),
    /** Flags whose results differ without a note that explains why. Only the first hundred such flags are included. */
    differences: Type.Array(Type.Object({ environment: Type.String(), flag: Type.String(), words: Type.String() })),
    /** Names of flags whose results differ in a way that the notes explain. */
    told: Type.Array(Type.String()),
    /**
     * Reference with which the imported flags are compared. `source`: responses of the source itself to SDKs;
     * `reading`: responses derived from the data that was read.
     */
    against: Type.Union([Type.Literal('source'), Type.Literal('reading')]),
    /**
     * Reason why nothing could be compared. The imported data remains in place. Omitted if the comparison took place.
     */
    failure: Type.Optional(Type.String()),
  }),
})
export type ImportResult = Static<typeof ImportResult>
