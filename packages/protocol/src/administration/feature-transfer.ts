import Type, { type Static } from 'typebox'
import { FeatureName } from '../admin-feature.ts'
import { DependencyInput } from '../batch.ts'
import { Constraint } from '../feature.ts'
import { CreateTagType } from '../tag-type.ts'
import { CreateContextField } from '../targeting/context-field.ts'
import { NO_IGNORED_RESTRICTION } from '../targeting/restriction.ts'
import { SegmentId, SegmentInput } from '../targeting/segment.ts'
import { StrategyInput } from '../targeting/strategy.ts'
import { VariantInput } from '../targeting/variant.ts'

/** Flags that leave a server and come to another one, as they are in one environment. Source: wire protocol */

const Name = Type.String({ minLength: 1, maxLength: 100 })
const TextOrNull = Type.Union([Type.String({ maxLength: 5000 }), Type.Null()])
const MOST = 10_000
/** Of what a flag has several of. */
const MOST_PARTS = 100_000
/** Of what flags need to be there. */
const MOST_MATERIAL = 1000
/** One is allowed, and an import says so. */
const MOST_PARENTS = 10

/** Which flags are to be exported, as they are in an environment: at least one of the three, an empty list is all. */
export const ExportSelection = Type.Object({
  environment: Name,
  features: Type.Optional(Type.Array(FeatureName, { maxItems: MOST })),
  project: Type.Optional(Name),
  /** The value of a tag, or `type:value`. */
  tag: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  /** Says what the caller means to do with it. */
  downloadFile: Type.Optional(Type.Boolean()),
  /** True adds what segments say: a server that knows their names alone refuses a document with more. */
  segmentDefinitions: Type.Optional(Type.Boolean()),
})
export type ExportSelection = Static<typeof ExportSelection>

/** A flag without what it is in an environment. */
export const TransferredFeature = Type.Object(
  {
    name: FeatureName,
    description: Type.Optional(TextOrNull),
    type: Type.Optional(Name),
    project: Type.Optional(Type.String()),
    stale: Type.Optional(Type.Boolean()),
    impressionData: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
    archived: Type.Optional(Type.Boolean()),
  },
  NO_IGNORED_RESTRICTION,
)
export type TransferredFeature = Static<typeof TransferredFeature>

/** A strategy of a flag; those of one flag are in their order. */
export const TransferredStrategy = Type.Object(
  {
    ...StrategyInput.properties,
    id: Type.Optional(Type.String()),
    featureName: FeatureName,
    segments: Type.Optional(Type.Array(SegmentId, { maxItems: 100 })),
  },
  NO_IGNORED_RESTRICTION,
)
export type TransferredStrategy = Static<typeof TransferredStrategy>

/** A segment that strategies of flags name by its id, and what it says; some servers give its name alone. */
export const TransferredSegment = Type.Object(
  {
    id: SegmentId,
    name: Type.String(),
    description: Type.Optional(TextOrNull),
    /** The project it belongs to where it comes from; null where it is for all. */
    project: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    constraints: Type.Optional(SegmentInput.properties.constraints),
  },
  NO_IGNORED_RESTRICTION,
)
export type TransferredSegment = Static<typeof TransferredSegment>

/** Flags with all that they need, as an export gives them and an import takes them. */
export const FeatureDocument = Type.Object(
  {
    features: Type.Array(TransferredFeature, { maxItems: MOST }),
    featureStrategies: Type.Array(TransferredStrategy, { maxItems: MOST_PARTS }),
    featureEnvironments: Type.Optional(
      Type.Array(
        Type.Object(
          {
            featureName: FeatureName,
            environment: Type.Optional(Type.String()),
            enabled: Type.Optional(Type.Boolean()),
            variants: Type.Optional(Type.Array(VariantInput, { maxItems: 500 })),
            name: Type.Optional(Type.String()),
          },
          NO_IGNORED_RESTRICTION,
        ),
        { maxItems: MOST_PARTS },
      ),
    ),
    contextFields: Type.Optional(Type.Array(CreateContextField, { maxItems: MOST_MATERIAL })),
    featureTags: Type.Optional(
      Type.Array(
        Type.Object({
          featureName: FeatureName,
          tagType: Name,
          tagValue: Type.String({ minLength: 2, maxLength: 50 }),
        }),
        { maxItems: MOST_PARTS },
      ),
    ),
    segments: Type.Optional(Type.Array(TransferredSegment, { maxItems: MOST })),
    tagTypes: Type.Array(CreateTagType, { maxItems: MOST_MATERIAL }),
    dependencies: Type.Optional(
      Type.Array(
        Type.Object(
          { feature: FeatureName, dependencies: Type.Array(DependencyInput, { maxItems: MOST_PARENTS }) },
          NO_IGNORED_RESTRICTION,
        ),
        { maxItems: MOST },
      ),
    ),
  },
  NO_IGNORED_RESTRICTION,
)
export type FeatureDocument = Static<typeof FeatureDocument>

/** Body of an import, and of the question what it would mean: what comes, and where to. */
export const FeatureImport = Type.Object({
  project: Name,
  environment: Name,
  data: FeatureDocument,
  /** Segments that are missing are made as the document says them; else they keep the import from being done. */
  createMissingSegments: Type.Optional(Type.Boolean()),
  /** Segments that say something else here are used as they are here; else they keep the import from being done. */
  useExistingSegments: Type.Optional(Type.Boolean()),
  /** Flags that are on without an enabled strategy are switched off; else they get one for everyone, as SDKs take them. */
  closeUnguarded: Type.Optional(Type.Boolean()),
})
export type FeatureImport = Static<typeof FeatureImport>

const Findings = Type.Array(Type.Object({ message: Type.String(), affectedItems: Type.Array(Type.String()) }))

/** A segment that flags of a document use and that may mean something else here. */
export const SegmentFinding = Type.Object({
  name: Type.String(),
  /** What it says here; none is for everybody, null: it is not here. */
  here: Type.Union([Type.Array(Constraint), Type.Null()]),
  /** What the document says; null where it does not. */
  coming: Type.Union([Type.Array(Constraint), Type.Null()]),
  /** Whether it is missing and `createMissingSegments` would make it. */
  isCreatable: Type.Boolean(),
})
export type SegmentFinding = Static<typeof SegmentFinding>

/** What an import did that its caller has to know. */
export const ImportWarnings = Type.Object({ warnings: Findings })
export type ImportWarnings = Static<typeof ImportWarnings>

/** What an import would mean: `errors` and missing `permissions` refuse it. */
export const ImportFindings = Type.Object({
  ...{ errors: Findings, warnings: Findings, permissions: Findings },
  /** Segments to look at: those that are missing, that say something else here, or that are for everybody here. */
  segments: Type.Optional(Type.Array(SegmentFinding)),
})
export type ImportFindings = Static<typeof ImportFindings>
