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

/** Schemas for exporting flags from one environment and importing them into another. Source: wire protocol */

const Name = Type.String({ minLength: 1, maxLength: 100 })
const TextOrNull = Type.Union([Type.String({ maxLength: 5000 }), Type.Null()])
const MAX_ITEMS = 10_000
/**
 * Maximum number of strategies, tags and similar items in an export document. Each flag can have several such items.
 */
const MAX_PARTS = 100_000
/** Maximum number of objects that the flags of a document need on the target server. */
const MAX_REQUIREMENTS = 1000
/**
 * Maximum number of parent flags in a document. Although a flag can have only one parent, the limit is higher, so that
 * the import can report the error.
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
  /** Accepted for compatibility, but ignored. */
  downloadFile: Type.Optional(Type.Boolean()),
  /**
   * True to include the constraints of segments in the document. Servers that accept only the names of segments reject
   * documents that contain constraints.
   */
  segmentDefinitions: Type.Optional(Type.Boolean()),
})
export type ExportSelection = Static<typeof ExportSelection>

/** Flag, without its state in any environment. */
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

/** Strategy that belongs to a flag. Strategies of the same flag appear in their order. */
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

/** Segment that strategies reference by id. Some servers export only the name of a segment, without its constraints. */
export const TransferredSegment = Type.Object(
  {
    id: SegmentId,
    name: Type.String(),
    description: Type.Optional(TextOrNull),
    /** Project of the segment on the source server; null for a global segment. */
    project: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    constraints: Type.Optional(SegmentInput.properties.constraints),
  },
  NO_IGNORED_RESTRICTION,
)
export type TransferredSegment = Static<typeof TransferredSegment>

/** Flags with all objects that they depend on, in the form in which they are exported and imported. */
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

/** Body of an import and of its preview, with the document and the target. */
export const FeatureImport = Type.Object({
  project: Name,
  environment: Name,
  data: FeatureDocument,
  /** True to create missing segments from the document; otherwise missing segments make the import fail. */
  createMissingSegments: Type.Optional(Type.Boolean()),
  /**
   * True to use existing segments even if their constraints differ from those in the document. If false, such a
   * difference makes the import fail.
   */
  useExistingSegments: Type.Optional(Type.Boolean()),
  /**
   * True to turn off imported flags that are on without an enabled strategy. If false, such a flag gets a strategy that
   * matches everyone, because SDKs treat a flag without strategies as on for everyone.
   */
  closeUnguarded: Type.Optional(Type.Boolean()),
})
export type FeatureImport = Static<typeof FeatureImport>

const Findings = Type.Array(Type.Object({ message: Type.String(), affectedItems: Type.Array(Type.String()) }))

/** Segment that flags in a document use and that may be different on this server. */
export const SegmentFinding = Type.Object({
  name: Type.String(),
  /**
   * Constraints of the segment on this server. An empty list matches everyone; null if the segment does not exist on
   * this server.
   */
  here: Type.Union([Type.Array(Constraint), Type.Null()]),
  /** Constraints of the segment in the document; null if the document does not contain them. */
  coming: Type.Union([Type.Array(Constraint), Type.Null()]),
  /** True if the segment is missing and `createMissingSegments` would create it. */
  isCreatable: Type.Boolean(),
})
export type SegmentFinding = Static<typeof SegmentFinding>

/** Effects of an import that the caller should know in advance. */
export const ImportWarnings = Type.Object({ warnings: Findings })
export type ImportWarnings = Static<typeof ImportWarnings>

/** Preview of an import. The import is impossible if there are `errors` or missing `permissions`. */
export const ImportFindings = Type.Object({
  errors: Findings,
  warnings: Findings,
  permissions: Findings,
  /** Segments that need a review, because they are missing, differ, or match everyone on this server. */
  segments: Type.Optional(Type.Array(SegmentFinding)),
})
export type ImportFindings = Static<typeof ImportFindings>
