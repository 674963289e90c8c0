import Type, { type Static, type TSchema } from 'typebox'
import { FeatureName } from '../admin-feature.ts'
import { DependencyInput, SortOrders } from '../batch.ts'
import { DefaultStrategy } from '../project.ts'
import { SegmentId, SegmentInput } from '../targeting/segment.ts'
import { StrategyInput, UpdateStrategy } from '../targeting/strategy.ts'
import { VariantInput } from '../targeting/variant.ts'
import { Comment, NamedPerson } from './comment.ts'
import { MOST_COMMENT_CHARACTERS } from './comment-length.ts'

/** Where a change request is on its way. Source: wire protocol */
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
const Nothing = Type.Unknown()

/** What a change request may hold, and the shape of its payload. Source: wire protocol */
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
  archiveFeature: Nothing,
  addDependency: DependencyInput,
  deleteDependency: Nothing,
  updateSegment: Type.Object({ ...SegmentInput.properties, id: SegmentId, allowEmpty: Type.Optional(Type.Boolean()) }),
  deleteSegment: Type.Object({ id: SegmentId }),
} as const satisfies Readonly<Record<string, TSchema>>
export type ChangeAction = keyof typeof CHANGE_PAYLOADS
export type ChangePayload<A extends ChangeAction> = Static<(typeof CHANGE_PAYLOADS)[A]>

/** Names of what a change request may hold. */
export const CHANGE_ACTIONS = Object.keys(CHANGE_PAYLOADS) as readonly ChangeAction[]

const Action = Type.Enum([...CHANGE_ACTIONS])

/** A change as it is proposed: what is to be done to which flag; segments are named in the payload. */
export const ChangeInput = Type.Object({
  feature: Type.Optional(Type.Union([FeatureName, Type.Null()])),
  action: Action,
  payload: Type.Optional(Type.Unknown()),
})
export type ChangeInput = Static<typeof ChangeInput>

/** Body that proposes one change, or several at once. */
export const ChangesInput = Type.Union([ChangeInput, Type.Array(ChangeInput, { minItems: 1, maxItems: 100 })])
export type ChangesInput = Static<typeof ChangesInput>

/** Body that replaces a change that is proposed already; its flag or segment stays. */
export const ChangeEdit = Type.Object({ action: Action, payload: Type.Optional(Type.Unknown()) })
export type ChangeEdit = Static<typeof ChangeEdit>

/** Body that switches change requests on or off in an environment of a project; 0 approvals are nothing said, only with off. */
export const ChangeRequestConfigInput = Type.Object({
  changeRequestsEnabled: Type.Boolean(),
  /** Null, as the reply has it where none were ever set, is as if it were left out. */
  requiredApprovals: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 10 }), Type.Null()])),
})
export type ChangeRequestConfigInput = Static<typeof ChangeRequestConfigInput>

/** Whether an environment of a project takes changes by change request only, and how many must approve. */
export const ChangeRequestConfig = Type.Object({
  environment: Type.String(),
  type: Type.String(),
  changeRequestEnabled: Type.Boolean(),
  requiredApprovals: Type.Union([Type.Integer(), Type.Null()]),
})
export type ChangeRequestConfig = Static<typeof ChangeRequestConfig>

/** Body that takes a change request a step further; a time only for `Scheduled`. */
export const ChangeRequestStep = Type.Object({
  state: Type.Enum([...CHANGE_REQUEST_STATES]),
  comment: Type.Optional(Type.String({ maxLength: MOST_COMMENT_CHARACTERS })),
  scheduledAt: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
})
export type ChangeRequestStep = Static<typeof ChangeRequestStep>

/** Body of another title. */
export const ChangeRequestTitle = Type.Object({ title: Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' }) })

/** Body that says who is asked to approve, by the ids of users. */
export const ApproversInput = Type.Object({ reviewers: Type.Array(Type.Integer({ minimum: 1 }), { maxItems: 100 }) })

/** A change of a request, with what is in its way: a flag or segment that has moved on, other schedules. */
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

/** The same in a list, without what it does. */
export const ListedChange = Type.Omit(ProposedChange, ['payload'])
export type ListedChange = Static<typeof ListedChange>

/** What comes with a flag that is turned on without an enabled strategy. */
const DefaultChange = Type.Object({ action: Type.Literal('addStrategy'), payload: DefaultStrategy })
export type DefaultChange = Static<typeof DefaultChange>

const Opinion = Type.Object({ createdBy: NamedPerson, createdAt: Type.String() })

/** When it is to be applied, and what became of that. */
export const ChangeRequestSchedule = Type.Object({
  scheduledAt: Type.String(),
  status: Type.Enum(['pending', 'failed', 'suspended']),
  reason: Type.Optional(Type.String()),
  failureReason: Type.Optional(Type.String()),
})
export type ChangeRequestSchedule = Static<typeof ChangeRequestSchedule>

/** A change request as the admin API shows it. Source: wire protocol */
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
    }),
  ),
  segments: Type.Array(Type.Object({ ...ProposedChange.properties, name: Type.String() })),
  approvals: Type.Array(Opinion),
  rejections: Type.Array(Opinion),
  comments: Type.Array(Comment),
  createdBy: NamedPerson,
  createdAt: Type.String(),
  schedule: Type.Optional(ChangeRequestSchedule),
  stateTimestamps: Type.Record(Type.String(), Type.String()),
})
export type ChangeRequest = Static<typeof ChangeRequest>

/** The same in a list of a project: without what the changes do, and without comments. */
export const ListedChangeRequest = Type.Object({
  ...Type.Omit(ChangeRequest, ['features', 'segments', 'comments']).properties,
  features: Type.Array(Type.Object({ name: Type.String(), changes: Type.Array(ListedChange) })),
  segments: Type.Array(Type.Object({ ...ListedChange.properties, name: Type.String() })),
})
export type ListedChangeRequest = Static<typeof ListedChangeRequest>

/** Reply of how many change requests a project has, by state; drafts do not count. */
export const ChangeRequestCounts = Type.Object({
  total: Type.Integer(),
  applied: Type.Integer(),
  rejected: Type.Integer(),
  reviewRequired: Type.Integer(),
  approved: Type.Integer(),
  scheduled: Type.Integer(),
})
export type ChangeRequestCounts = Static<typeof ChangeRequestCounts>

/** Reply of how many wait for an act of the person who asks. */
export const ActionableCount = Type.Object({ total: Type.Integer() })

/** A change request that has a time. */
export const ScheduledRequests = Type.Array(
  Type.Object({ id: Type.Integer(), environment: Type.String(), title: Type.String() }),
)

/** Somebody who is asked to approve, and has perhaps. */
export const Approver = Type.Object({
  id: Type.Integer(),
  name: Type.Union([Type.String(), Type.Null()]),
  username: Type.Union([Type.String(), Type.Null()]),
  email: Type.Union([Type.String(), Type.Null()]),
  imageUrl: Type.Union([Type.String(), Type.Null()]),
  status: Type.Optional(Type.Enum(['approved', 'rejected', 'unknown'])),
})
export type Approver = Static<typeof Approver>

/** Who is asked to approve. */
export const Approvers = Type.Object({ reviewers: Type.Array(Approver) })
/** Who could be asked to approve. */
export const Reviewers = Type.Array(Approver)

/** Conditions of a search over all projects: operators as in other searches, such as `IS:3`. */
export const ChangeRequestSearch = Type.Object({
  createdBy: Type.Optional(Type.String({ maxLength: 500 })),
  requestedApproverId: Type.Optional(Type.String({ maxLength: 500 })),
  state: Type.Optional(Type.String({ maxLength: 500 })),
  offset: Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: 0 }),
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 50 }),
})
export type ChangeRequestSearch = Static<typeof ChangeRequestSearch>

/** What a search finds. */
export const FoundChangeRequests = Type.Object({
  changeRequests: Type.Array(
    Type.Object({
      ...{ id: Type.Integer(), title: Type.String(), environment: Type.String(), project: Type.String() },
      ...{ createdBy: NamedPerson, createdAt: Type.String(), features: Type.Array(Type.String()) },
      ...{ segments: Type.Array(Type.String()), state: Type.Enum([...CHANGE_REQUEST_STATES]) },
      schedule: Type.Optional(ChangeRequestSchedule),
    }),
  ),
  total: Type.Integer(),
})
export type FoundChangeRequests = Static<typeof FoundChangeRequests>
