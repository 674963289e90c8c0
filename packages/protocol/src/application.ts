import Type, { type Static } from 'typebox'
import { WEB_ADDRESS } from './administration/feature-link.ts'
import { CLIENT_KINDS } from './sdk/client-kind.ts'
import { StrategyTypeView } from './targeting/strategy-type.ts'

/** Schemas for applications that use flags. Source: wire protocol */

const INSTANCE = {
  appName: Type.String(),
  instanceId: Type.String(),
  environment: Type.String(),
  sdkVersion: Type.Union([Type.String(), Type.Null()]),
  clientIp: Type.Union([Type.String(), Type.Null()]),
  lastSeen: Type.String(),
  /** Time of the first report. */
  createdAt: Type.String(),
}

/** Process of an application. */
export const ApplicationInstance = Type.Object(INSTANCE)

const Note = Type.Union([Type.String(), Type.Null()])

const APPLICATION = {
  appName: Type.String(),
  /** Note by users; null if there is none. */
  description: Note,
  url: Note,
  color: Note,
  icon: Note,
  createdAt: Type.String(),
  lastSeen: Type.String(),
}

/** Reference of an application to an object that does not exist. */
const NotFound = Type.Object({ name: Type.String(), notFound: Type.Literal(true) })

/** SDK version that does not support a part of flags, with the first version that supports the part. */
const SdkLack = Type.Object({ sdkVersion: Type.String(), knownFrom: Type.String() })

/** Application in a list, with its environments. */
export const Application = Type.Object({
  ...APPLICATION,
  strategies: Type.Array(Type.String()),
  updatedAt: Type.String(),
  /** Address of one process of the application. */
  createdBy: Note,
  /** Project of the application's tokens if they have only one project; otherwise `*`. */
  project: Type.String(),
  environment: Type.String(),
  /** Scopes of the application's tokens. Project `*` means all projects. */
  usage: Type.Array(Type.Object({ project: Type.String(), environments: Type.Array(Type.String()) })),
  /** Number of processes by environment. Burgee extension. */
  running: Type.Array(Type.Object({ environment: Type.String(), instances: Type.Integer() })),
  /** SDK versions that the application's processes report. Burgee extension. */
  sdks: Type.Array(Type.String()),
  /** Kinds of these processes. Burgee extension. */
  kinds: Type.Array(Type.Enum([...CLIENT_KINDS])),
  /** SDK versions of the list `sdks` that do not support parent flags. Burgee extension. */
  sdksWithoutParents: Type.Array(SdkLack),
})
export type Application = Static<typeof Application>

/** Query of the list of applications. */
export const ApplicationSearch = Type.Object({
  query: Type.Optional(Type.String({ maxLength: 500 })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  sortBy: Type.Optional(Type.Enum(['appName', 'createdAt', 'updatedAt', 'lastSeen'])),
  sortOrder: Type.Optional(Type.Enum(['asc', 'desc'])),
})
export type ApplicationSearch = Static<typeof ApplicationSearch>

/** Response of the list of applications. */
export const Applications = Type.Object({ applications: Type.Array(Application), total: Type.Integer() })
export type Applications = Static<typeof Applications>

/** Flag that an application uses, without the flag's environments. */
const UsedFeature = Type.Object({
  name: Type.String(),
  description: Note,
  type: Type.String(),
  project: Type.String(),
  stale: Type.Boolean(),
  createdAt: Type.String(),
  lastSeenAt: Note,
  impressionData: Type.Boolean(),
  archivedAt: Note,
  archived: Type.Boolean(),
})

/** Application with its processes and the flags that it uses. */
export const ApplicationDetails = Type.Object({
  ...APPLICATION,
  strategies: Type.Array(Type.Union([StrategyTypeView, NotFound])),
  instances: Type.Array(ApplicationInstance),
  seenToggles: Type.Array(Type.Union([UsedFeature, NotFound])),
  links: Type.Object({ self: Type.String() }),
})
export type ApplicationDetails = Static<typeof ApplicationDetails>

const NoteInput = Type.Optional(Type.Union([Type.String({ maxLength: 5000 }), Type.Null()]))

/** Address that is displayed as a link; may be empty. */
const LinkInput = Type.Optional(
  Type.Union([Type.String({ maxLength: 5000, pattern: `(^$)|(${WEB_ADDRESS})` }), Type.Null()]),
)

/** Body that updates the notes about an application; omitted fields keep their values. */
export const DescribeApplication = Type.Object({
  description: NoteInput,
  url: LinkInput,
  color: NoteInput,
  icon: NoteInput,
  strategies: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 1000 })),
})
export type DescribeApplication = Static<typeof DescribeApplication>

/** Overview of an application by environment, with possible issues. */
export const ApplicationOverview = Type.Object({
  /** Projects of the flags that the application uses. */
  projects: Type.Array(Type.String()),
  /** Number of existing flags that the application uses. */
  featureCount: Type.Integer(),
  environments: Type.Array(
    Type.Object({
      name: Type.String(),
      instanceCount: Type.Integer(),
      sdks: Type.Array(Type.String()),
      lastSeen: Type.String(),
      issues: Type.Object({
        /** Names that the application uses in this environment although no flag with this name exists now. */
        missingFeatures: Type.Array(Type.String()),
        /** SDK versions older than another version of the same SDK in use on this server. */
        outdatedSdks: Type.Array(Type.String()),
        /**
         * SDK versions without support for parent flags. An SDK of such a version can report a flag as on although the
         * parent of the flag is off. Burgee extension.
         */
        sdksWithoutParents: Type.Array(SdkLack),
      }),
    }),
  ),
  /** Custom strategies that the application reports but the server does not know. */
  issues: Type.Object({ missingStrategies: Type.Array(Type.String()) }),
})
export type ApplicationOverview = Static<typeof ApplicationOverview>

/** Response with the SDK versions that are older than another version in use on this server. */
export const OutdatedSdks = Type.Object({
  sdks: Type.Array(Type.Object({ sdkVersion: Type.String(), applications: Type.Array(Type.String()) })),
})
export type OutdatedSdks = Static<typeof OutdatedSdks>

/** Response with the processes of an application in an environment. */
export const ApplicationInstances = Type.Object({ instances: Type.Array(ApplicationInstance) })

/** Query of the applications of a project. */
export const ProjectApplicationSearch = Type.Object({
  ...Type.Omit(ApplicationSearch, ['sortBy']).properties,
  sortBy: Type.Optional(Type.Enum(['appName', 'createdAt'])),
})
export type ProjectApplicationSearch = Static<typeof ProjectApplicationSearch>

/** Application that uses flags of a project, with its environments, processes and SDKs. */
export const ProjectApplication = Type.Object({
  name: Type.String(),
  environments: Type.Array(Type.String()),
  instances: Type.Array(Type.String()),
  sdks: Type.Array(Type.Object({ name: Type.String(), versions: Type.Array(Type.String()) })),
})
export type ProjectApplication = Static<typeof ProjectApplication>

/** Response of `GET …/projects/{id}/applications`. `total` is the number before paging. */
export const ProjectApplications = Type.Object({
  applications: Type.Array(ProjectApplication),
  total: Type.Integer(),
})
export type ProjectApplications = Static<typeof ProjectApplications>
