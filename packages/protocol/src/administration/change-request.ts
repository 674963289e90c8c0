import Type, { type Static, type TSchema } from 'typebox'
import { FeatureName } from '../admin-feature.ts'
import { DependencyInput, SortOrders } from '../batch.ts'
import { RowId } from '../row-id.ts'
import { SegmentId, SegmentInput } from '../targeting/segment.ts'
import { AdminStrategy, DefaultStrategy, StrategyInput, UpdateStrategy } from '../targeting/strategy.ts'
import { StoredVariant, VariantInput } from '../targeting/variant.ts'
import { Comment, NamedPerson } from './comment.ts'
import { MAX_COMMENT_LENGTH } from './comment-length.ts'
import { ProgressionInput, ReleasePlanInput } from './release-plan.ts'
import { SafeguardInput } from './safeguard.ts'

/** States of a change request. Source: wire protocol */
export const CHANGE_REQUEST_STATES = [
  'Draft',
  'In review',
  'Approved',
  'Applied',
  'Cancelled',
  'Rejected',
  'Scheduled',
] as const
export type ChangeRequestState = (typeof CHANGE_REQUEST_STATES)[number]

const Id = Type.String({ minLength: 1, maxLength: 100 })
const AnyPayload = Type.Unknown()

/** Actions that a change request can contain, with the schema of their payload. Source: wire protocol */
export const CHANGE_PAYLOADS = {
  updateEnabled: Type.Object({
    enabled: Type.Boolean(),
    shouldActivateDisabledStrategies: Type.Optional(Type.Boolean()),
  }),
  addStrategy: StrategyInput,
  updateStrategy: Type.Object({ ...UpdateStrategy.properties, id: Id, allowEmpty: Type.Optional(Type.Boolean()) }),
  deleteStrategy: Type.Object({ id: Id }),
  patchVariant: Type.Object({ variants: Type.Array(VariantInput, { maxItems: 500 }) }),
  reorderStrategy: SortOrders,
  archiveFeature: AnyPayload,
  addDependency: DependencyInput,
  deleteDependency: AnyPayload,
  updateSegment: Type.Object({ ...SegmentInput.properties, id: SegmentId, allowEmpty: Type.Optional(Type.Boolean()) }),
  deleteSegment: Type.Object({ id: SegmentId }),
  addReleasePlan: ReleasePlanInput,
  deleteReleasePlan: Type.Object({ planId: Id }),
  startMilestone: Type.Object({ planId: Id, milestoneId: Id }),
  changeMilestoneProgression: Type.Object({ sourceMilestone: Id, ...ProgressionInput.properties }),
  deleteMilestoneProgression: Type.Object({ sourceMilestone: Id }),
  resumeMilestoneProgression: Type.Object({ planId: Id }),
  changeSafeguard: Type.Object({ planId: Type.Optional(Id), safeguard: SafeguardInput }),
  deleteSafeguard: Type.Object({ planId: Type.Optional(Id), safeguardId: Id }),
} as const satisfies Readonly<Record<string, TSchema>>
export type ChangeAction = keyof typeof CHANGE_PAYLOADS
export type ChangePayload<A extends ChangeAction> = Static<(typeof CHANGE_PAYLOADS)[A]>

/** Names of the actions that a change request can contain. */
export const CHANGE_ACTIONS = Object.keys(CHANGE_PAYLOADS) as readonly ChangeAction[]

const Action = Type.Enum([...CHANGE_ACTIONS])

/**
 * Proposed change: an action, and the flag that it changes. If the change is to a segment, the payload names the
 * segment.
 */
export const ChangeInput = Type.Object({
  feature: Type.Optional(Type.Union([FeatureName, Type.Null()])),
  action: Action,
  payload: Type.Optional(Type.Unknown()),
})
export type ChangeInput = Static<typeof ChangeInput>

/** Body that proposes one or more changes. */
export const ChangesInput = Type.Union([ChangeInput, Type.Array(ChangeInput, { minItems: 1, maxItems: 100 })])
export type ChangesInput = Static<typeof ChangesInput>

/** Body that replaces a proposed change. The changed flag or segment remains the same. */
export const ChangeEdit = Type.Object({ action: Action, payload: Type.Optional(Type.Unknown()) })
export type ChangeEdit = Static<typeof ChangeEdit>

/**
 * Body that turns change requests on or off in an environment of a project. A number of 0 approvals counts as omitted,
 * and is allowed only in a request that turns change requests off.
 */
export const ChangeRequestConfigInput = Type.Object({
  changeRequestsEnabled: Type.Boolean(),
  /** Number of approvals. Null counts as omitted. Responses contain null if the number of approvals was never set. */
  requiredApprovals: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 10 }), Type.Null()])),
})
export type ChangeRequestConfigInput = Static<typeof ChangeRequestConfigInput>

/** Change-request setting of an environment: whether they are required, and the number of approvals. */
export const ChangeRequestConfig = Type.Object({
  environment: Type.String(),
  type: Type.String(),
  changeRequestEnabled: Type.Boolean(),
  requiredApprovals: Type.Union([Type.Integer(), Type.Null()]),
})
export type ChangeRequestConfig = Static<typeof ChangeRequestConfig>

/** Body that moves a change request to another state. `scheduledAt` is allowed only for `Scheduled`. */
export const ChangeRequestStep = Type.Object({
  state: Type.Enum([...CHANGE_REQUEST_STATES]),
  comment: Type.Optional(Type.String({ maxLength: MAX_COMMENT_LENGTH })),
  scheduledAt: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
})
export type ChangeRequestStep = Static<typeof ChangeRequestStep>

/** Body that changes the title. */
export const ChangeRequestTitle = Type.Object({ title: Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' }) })

/** Body that sets the requested reviewers, by user id. */
export const ApproversInput = Type.Object({ reviewers: Type.Array(RowId, { maxItems: 100 }) })

/**
 * Change within a change request, with its conflicts. A conflict is a flag or segment that was modified since, or
 * another scheduled change request.
 */
export const ProposedChange = Type.Object({
  id: Type.Integer(),
  action: Type.String(),
  payload: Type.Unknown(),
  createdBy: NamedPerson,
  createdAt: Type.String(),
  conflict: Type.Optional(Type.String()),
  scheduleConflicts: Type.Optional(
    Type.Object({
      changeRequests: Type.Array(Type.Object({ id: Type.Integer(), title: Type.Union([Type.String(), Type.Null()]) })),
    }),
  ),
})
export type ProposedChange = Static<typeof ProposedChange>

/** Change as lists contain it, without its payload. */
export const ListedChange = Type.Omit(ProposedChange, ['payload'])
export type ListedChange = Static<typeof ListedChange>

/** Strategy that is added when a flag is turned on without an enabled strategy. */
const DefaultChange = Type.Object({ action: Type.Literal('addStrategy'), payload: DefaultStrategy })
export type DefaultChange = Static<typeof DefaultChange>

/** State of a flag in an environment before a change request was applied. Burgee extension. */
const PreviousState = Type.Object({
  enabled: Type.Boolean(),
  strategies: Type.Array(AdminStrategy),
  variants: Type.Array(StoredVariant),
  dependencies: Type.Array(DependencyInput),
})
export type PreviousState = Static<typeof PreviousState>

const Review = Type.Object({ createdBy: NamedPerson, createdAt: Type.String() })

/** Time at which the change request will be applied, and the outcome so far. */
export const ChangeRequestSchedule = Type.Object({
  scheduledAt: Type.String(),
  status: Type.Enum(['pending', 'failed', 'suspended']),
  reason: Type.Optional(Type.String()),
  failureReason: Type.Optional(Type.String()),
})
export type ChangeRequestSchedule = Static<typeof ChangeRequestSchedule>

/** Change request as the admin API returns it. Source: wire protocol */
export const ChangeRequest = Type.Object({
  id: Type.Integer(),
  title: Type.String(),
  environment: Type.String(),
  project: Type.String(),
  minApprovals: Type.Integer(),
  state: Type.Enum([...CHANGE_REQUEST_STATES]),
  features: Type.Array(
    Type.Object({
      name: Type.String(),
      conflict: Type.Optional(Type.String()),
      changes: Type.Array(ProposedChange),
      defaultChange: Type.Optional(DefaultChange),
      /** State before the application; present once the request was applied. */
      previous: Type.Optional(PreviousState),
    }),
  ),
  segments: Type.Array(Type.Object({ ...ProposedChange.properties, name: Type.String() })),
  approvals: Type.Array(Review),
  rejections: Type.Array(Review),
  comments: Type.Array(Comment),
  createdBy: NamedPerson,
  createdAt: Type.String(),
  schedule: Type.Optional(ChangeRequestSchedule),
  stateTimestamps: Type.Record(Type.String(), Type.String()),
  /** User who applied the request. Burgee extension. */
  appliedBy: Type.Optional(Type.Object({ id: Type.Integer(), username: Type.String() })),
  /** User who scheduled the request; present while it is scheduled. Burgee extension. */
  scheduledBy: Type.Optional(Type.Object({ id: Type.Integer(), username: Type.String() })),
})
export type ChangeRequest = Static<typeof ChangeRequest>

/** Change request as the list of a project contains it, without payloads and comments. */
export const ListedChangeRequest = Type.Object({
  ...Type.Omit(ChangeRequest, ['features', 'segments', 'comments']).properties,
  features: Type.Array(Type.Object({ name: Type.String(), changes: Type.Array(ListedChange) })),
  segments: Type.Array(Type.Object({ ...ListedChange.properties, name: Type.String() })),
})
export type ListedChangeRequest = Static<typeof ListedChangeRequest>

/** Response with the number of change requests in a project by state, excluding drafts. */
export const ChangeRequestCounts = Type.Object({
  total: Type.Integer(),
  applied: Type.Integer(),
  rejected: Type.Integer(),
  reviewRequired: Type.Integer(),
  approved: Type.Integer(),
  scheduled: Type.Integer(),
})
export type ChangeRequestCounts = Static<typeof ChangeRequestCounts>

/** Response with the number of change requests that await an action by the caller. */
export const ActionableCount = Type.Object({ total: Type.Integer() })

/** Scheduled change requests. */
export const ScheduledRequests = Type.Array(
  Type.Object({ id: Type.Integer(), environment: Type.String(), title: Type.String() }),
)

/** Requested reviewer, with the review if there is one yet. */
export const Approver = Type.Object({
  id: Type.Integer(),
  name: Type.Union([Type.String(), Type.Null()]),
  username: Type.Union([Type.String(), Type.Null()]),
  email: Type.Union([Type.String(), Type.Null()]),
  imageUrl: Type.Union([Type.String(), Type.Null()]),
  status: Type.Optional(Type.Enum(['approved', 'rejected', 'unknown'])),
})
export type Approver = Static<typeof Approver>

/** Requested approvers. */
export const Approvers = Type.Object({ reviewers: Type.Array(Approver) })
/** Possible approvers. */
export const Reviewers = Type.Array(Approver)

/**
 * Conditions of a search for change requests across projects; they use the operators of other searches, such as `IS:3`.
 */
export const ChangeRequestSearch = Type.Object({
  createdBy: Type.Optional(Type.String({ maxLength: 500 })),
  requestedApproverId: Type.Optional(Type.String({ maxLength: 500 })),
  state: Type.Optional(Type.String({ maxLength: 500 })),
  offset: Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: 0 }),
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 50 }),
})
export type ChangeRequestSearch = Static<typeof ChangeRequestSearch>

/** Search result. */
export const FoundChangeRequests = Type.Object({
  changeRequests: Type.Array(
    Type.Object({
      id: Type.Integer(),
      title: Type.String(),
      environment: Type.String(),
      project: Type.String(),
      createdBy: NamedPerson,
      createdAt: Type.String(),
      features: Type.Array(Type.String()),
      segments: Type.Array(Type.String()),
      state: Type.Enum([...CHANGE_REQUEST_STATES]),
      schedule: Type.Optional(ChangeRequestSchedule),
    }),
  ),
  total: Type.Integer(),
})
export type FoundChangeRequests = Static<typeof FoundChangeRequests>
