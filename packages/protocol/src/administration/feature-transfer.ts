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

/**
 * Schemas for exporting flags from one environment and importing the flags into another environment. Source: wire
 * protocol
 */

const Name = Type.String({ minLength: 1, maxLength: 100 })
const TextOrNull = Type.Union([Type.String({ maxLength: 5000 }), Type.Null()])
const MAX_ITEMS = 10_000
/** Maximum number of strategies, tags and similar items in a document. A flag can have several of each. */
const MAX_PARTS = 100_000
/** Maximum number of objects that the flags of a document require on the target server. */
const MAX_REQUIREMENTS = 1000
/**
 * Maximum number of parents in a document. Although a flag can have only one parent, the limit is higher, so that the
 * import can report the error.
 */
const MAX_PARENTS = 10

/**
 * Selection of the flags to export from an environment. At least one of `features`, `project` and `tag` is required; an
 * empty list of features selects all flags.
 */
export const ExportSelection = Type.Object({
  environment: Name,
  features: Type.Optional(Type.Array(FeatureName, { maxItems: MAX_ITEMS })),
  project: Type.Optional(Name),
  /** Value of a tag, or `type:value`. */
  tag: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  /** Accepted for compatibility; ignored. */
  downloadFile: Type.Optional(Type.Boolean()),
  /**
   * True to include the constraints of segments. Servers that accept only the names of segments reject a document with
   * constraints.
   */
  segmentDefinitions: Type.Optional(Type.Boolean()),
})
export type ExportSelection = Static<typeof ExportSelection>

/** Flag without its state in an environment. */
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

/** Strategy of a flag. Strategies of the same flag are in order. */
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

/** Segment that strategies reference by id. Some servers export only its name, without constraints. */
export const TransferredSegment = Type.Object(
  {
    id: SegmentId,
    name: Type.String(),
    description: Type.Optional(TextOrNull),
    /** Project of the segment at the source; null if it is global. */
    project: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    constraints: Type.Optional(SegmentInput.properties.constraints),
  },
  NO_IGNORED_RESTRICTION,
)
export type TransferredSegment = Static<typeof TransferredSegment>

/** Flags with all objects on which the flags depend, in the form in which they are exported and imported. */
export const FeatureDocument = Type.Object(
  {
    features: Type.Array(TransferredFeature, { maxItems: MAX_ITEMS }),
    featureStrategies: Type.Array(TransferredStrategy, { maxItems: MAX_PARTS }),
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
        { maxItems: MAX_PARTS },
      ),
    ),
    contextFields: Type.Optional(Type.Array(CreateContextField, { maxItems: MAX_REQUIREMENTS })),
    featureTags: Type.Optional(
      Type.Array(
        Type.Object({
          featureName: FeatureName,
          tagType: Name,
          tagValue: Type.String({ minLength: 2, maxLength: 50 }),
        }),
        { maxItems: MAX_PARTS },
      ),
    ),
    segments: Type.Optional(Type.Array(TransferredSegment, { maxItems: MAX_ITEMS })),
    tagTypes: Type.Array(CreateTagType, { maxItems: MAX_REQUIREMENTS }),
    dependencies: Type.Optional(
      Type.Array(
        Type.Object(
          { feature: FeatureName, dependencies: Type.Array(DependencyInput, { maxItems: MAX_PARENTS }) },
          NO_IGNORED_RESTRICTION,
        ),
        { maxItems: MAX_ITEMS },
      ),
    ),
  },
  NO_IGNORED_RESTRICTION,
)
export type FeatureDocument = Static<typeof FeatureDocument>

/** Body of an import and of its preview: the document and the target. */
export const FeatureImport = Type.Object({
  project: Name,
  environment: Name,
  data: FeatureDocument,
  /** True to create missing segments from the document; otherwise missing segments make the import fail. */
  createMissingSegments: Type.Optional(Type.Boolean()),
  /**
   * True to use existing segments whose constraints differ from the document. If false, the import fails if there are
   * such segments.
   */
  useExistingSegments: Type.Optional(Type.Boolean()),
  /**
   * True to turn off flags that are on without an enabled strategy. If false, such a flag gets a strategy that matches
   * everyone, because SDKs treat a flag without strategies as on for everyone.
   */
  closeUnguarded: Type.Optional(Type.Boolean()),
})
export type FeatureImport = Static<typeof FeatureImport>

const Findings = Type.Array(Type.Object({ message: Type.String(), affectedItems: Type.Array(Type.String()) }))

/** Segment that flags of a document use and that is possibly different on this server. */
export const SegmentFinding = Type.Object({
  name: Type.String(),
  /** Constraints on this server. An empty list matches everyone; null if the segment does not exist on this server. */
  here: Type.Union([Type.Array(Constraint), Type.Null()]),
  /** Constraints in the document; null if the document does not contain them. */
  coming: Type.Union([Type.Array(Constraint), Type.Null()]),
  /** True if the segment is missing and `createMissingSegments` would create it. */
  isCreatable: Type.Boolean(),
})
export type SegmentFinding = Static<typeof SegmentFinding>

/** Effects of an import that the caller should know about. */
export const ImportWarnings = Type.Object({ warnings: Findings })
export type ImportWarnings = Static<typeof ImportWarnings>

/** Preview of an import. `errors` and missing `permissions` prevent the import. */
export const ImportFindings = Type.Object({
  errors: Findings,
  warnings: Findings,
  permissions: Findings,
  /** Segments to review, because they are missing, different, or match everyone on this server. */
  segments: Type.Optional(Type.Array(SegmentFinding)),
})
export type ImportFindings = Static<typeof ImportFindings>
