import Type, { type Static } from 'typebox'
import { WEB_ADDRESS } from './administration/feature-link.ts'
import { CLIENT_KINDS } from './sdk/client-kind.ts'
import { StrategyTypeView } from './targeting/strategy-type.ts'

/** Schemas for applications that evaluate flags. Source: wire protocol */

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

/** Running process of an application. */
export const ApplicationInstance = Type.Object(INSTANCE)

const Note = Type.Union([Type.String(), Type.Null()])

const APPLICATION = {
  appName: Type.String(),
  /** Note that users have entered; null if there is none. */
  description: Note,
  url: Note,
  color: Note,
  icon: Note,
  createdAt: Type.String(),
  lastSeen: Type.String(),
}

/** Reference from an application to an object that does not exist. */
const NotFound = Type.Object({ name: Type.String(), notFound: Type.Literal(true) })

/** SDK version that does not support a certain part of flags, and the first version that does. */
const SdkLack = Type.Object({ sdkVersion: Type.String(), knownFrom: Type.String() })

/** Application in a list, with the environments in which it runs. */
export const Application = Type.Object({
  ...APPLICATION,
  strategies: Type.Array(Type.String()),
  updatedAt: Type.String(),
  /** Network address of one process of the application. */
  createdBy: Note,
  /** Project of the application's tokens if they have only one project; otherwise `*`. */
  project: Type.String(),
  environment: Type.String(),
  /** Projects and environments of the application's tokens. Project `*` means all projects. */
  usage: Type.Array(Type.Object({ project: Type.String(), environments: Type.Array(Type.String()) })),
  /** Number of running processes by environment. Burgee extension. */
  running: Type.Array(Type.Object({ environment: Type.String(), instances: Type.Integer() })),
  /** SDK versions that the application's processes report. Burgee extension. */
  sdks: Type.Array(Type.String()),
  /** Kinds of clients among these processes. Burgee extension. */
  kinds: Type.Array(Type.Enum([...CLIENT_KINDS])),
  /** Versions in `sdks` that do not support parent flags. Burgee extension. */
  sdksWithoutParents: Type.Array(SdkLack),
})
export type Application = Static<typeof Application>

/** Query that selects applications. */
export const ApplicationSearch = Type.Object({
  query: Type.Optional(Type.String({ maxLength: 500 })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  sortBy: Type.Optional(Type.Enum(['appName', 'createdAt', 'updatedAt', 'lastSeen'])),
  sortOrder: Type.Optional(Type.Enum(['asc', 'desc'])),
})
export type ApplicationSearch = Static<typeof ApplicationSearch>

/** Response with a page of applications. */
export const Applications = Type.Object({ applications: Type.Array(Application), total: Type.Integer() })
export type Applications = Static<typeof Applications>

/** Flag that an application uses; the environments of the flag are not included. */
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

/** Request body that changes the notes about an application; omitted properties keep their stored values. */
export const DescribeApplication = Type.Object({
  description: NoteInput,
  url: LinkInput,
  color: NoteInput,
  icon: NoteInput,
  strategies: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 1000 })),
})
export type DescribeApplication = Static<typeof DescribeApplication>

/** Overview of an application by environment, with possible problems. */
export const ApplicationOverview = Type.Object({
  /** Projects of the flags that the application uses. */
  projects: Type.Array(Type.String()),
  /** Number of flags that the application uses and that exist. */
  featureCount: Type.Integer(),
  environments: Type.Array(
    Type.Object({
      name: Type.String(),
      instanceCount: Type.Integer(),
      sdks: Type.Array(Type.String()),
      lastSeen: Type.String(),
      issues: Type.Object({
        /** Names that the application uses in this environment although no flag has this name now. */
        missingFeatures: Type.Array(Type.String()),
        /** SDK versions for which a newer version of the same SDK is in use somewhere on this server. */
        outdatedSdks: Type.Array(Type.String()),
        /**
         * SDK versions that do not support parent flags. An SDK of such a version may report a flag as on although its
         * parent flag is off. Burgee extension.
         */
        sdksWithoutParents: Type.Array(SdkLack),
      }),
    }),
  ),
  /** Custom strategies that the application has reported but that do not exist on the server. */
  issues: Type.Object({ missingStrategies: Type.Array(Type.String()) }),
})
export type ApplicationOverview = Static<typeof ApplicationOverview>

/** Response with the SDK versions for which a newer version of the same SDK is in use on this server. */
export const OutdatedSdks = Type.Object({
  sdks: Type.Array(Type.Object({ sdkVersion: Type.String(), applications: Type.Array(Type.String()) })),
})
export type OutdatedSdks = Static<typeof OutdatedSdks>

/** Response with the processes of an application in an environment. */
export const ApplicationInstances = Type.Object({ instances: Type.Array(ApplicationInstance) })

/** Query that selects applications of a project. */
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

/** Response of `GET …/projects/{id}/applications`. `total` is the number of applications on all pages. */
export const ProjectApplications = Type.Object({
  applications: Type.Array(ProjectApplication),
  total: Type.Integer(),
})
export type ProjectApplications = Static<typeof ProjectApplications>
