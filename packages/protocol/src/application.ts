import Type, { type Static } from 'typebox'
import { WEB_ADDRESS } from './administration/feature-link.ts'
import { StrategyTypeView } from './targeting/strategy-type.ts'

/** Replies around applications that have asked for flags. Source: wire protocol */

const INSTANCE = {
  appName: Type.String(),
  instanceId: Type.String(),
  environment: Type.String(),
  sdkVersion: Type.Union([Type.String(), Type.Null()]),
  clientIp: Type.Union([Type.String(), Type.Null()]),
  lastSeen: Type.String(),
  /** When it was first heard of. */
  createdAt: Type.String(),
}

/** One process of an application. */
export const ApplicationInstance = Type.Object(INSTANCE)

const Note = Type.Union([Type.String(), Type.Null()])

const APPLICATION = {
  appName: Type.String(),
  /** What people note about it; null where nobody has. */
  description: Note,
  url: Note,
  color: Note,
  icon: Note,
  createdAt: Type.String(),
  lastSeen: Type.String(),
}

/** Something that an application names and that there is not. */
const NotFound = Type.Object({ name: Type.String(), notFound: Type.Literal(true) })

/** A version of an SDK that does not know what a flag can say, and the first one that does. */
const SdkLack = Type.Object({ sdkVersion: Type.String(), knownFrom: Type.String() })

/** An application in a list, with where it runs. */
export const Application = Type.Object({
  ...APPLICATION,
  strategies: Type.Array(Type.String()),
  updatedAt: Type.String(),
  /** Address of one of its processes. */
  createdBy: Note,
  /** The only one that its tokens are for, else `*`. */
  project: Type.String(),
  environment: Type.String(),
  /** What its tokens are for; the project `*` is all of them. */
  usage: Type.Array(Type.Object({ project: Type.String(), environments: Type.Array(Type.String()) })),
  /** An addition: how many processes there are. */
  running: Type.Array(Type.Object({ environment: Type.String(), instances: Type.Integer() })),
  /** An addition: versions of SDKs that these run on, as they say. */
  sdks: Type.Array(Type.String()),
  /** An addition: those of them that know no parents of flags. */
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

/** Reply of the list of applications. */
export const Applications = Type.Object({ applications: Type.Array(Application), total: Type.Integer() })
export type Applications = Static<typeof Applications>

/** A flag that an application asks for, without its environments. */
const SeenFeature = Type.Object({
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

/** An application with its processes and the flags it asks for. */
export const ApplicationDetails = Type.Object({
  ...APPLICATION,
  strategies: Type.Array(Type.Union([StrategyTypeView, NotFound])),
  instances: Type.Array(ApplicationInstance),
  seenToggles: Type.Array(Type.Union([SeenFeature, NotFound])),
  links: Type.Object({ self: Type.String() }),
})
export type ApplicationDetails = Static<typeof ApplicationDetails>

const NoteInput = Type.Optional(Type.Union([Type.String({ maxLength: 5000 }), Type.Null()]))

/** Shown as a link; an empty one is none. */
const LinkInput = Type.Optional(
  Type.Union([Type.String({ maxLength: 5000, pattern: `(^$)|(${WEB_ADDRESS})` }), Type.Null()]),
)

/** Body of what people note about an application; what is left out stays. */
export const DescribeApplication = Type.Object({
  description: NoteInput,
  url: LinkInput,
  color: NoteInput,
  icon: NoteInput,
  strategies: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 1000 })),
})
export type DescribeApplication = Static<typeof DescribeApplication>

/** What an application is, by environment, and what may be wrong with it. */
export const ApplicationOverview = Type.Object({
  /** Projects of the flags it asks for. */
  projects: Type.Array(Type.String()),
  /** How many flags it asks for that there are. */
  featureCount: Type.Integer(),
  environments: Type.Array(
    Type.Object({
      name: Type.String(),
      instanceCount: Type.Integer(),
      sdks: Type.Array(Type.String()),
      lastSeen: Type.String(),
      issues: Type.Object({
        /** Flags that it asks for there and that there are not, or not any more. */
        missingFeatures: Type.Array(Type.String()),
        /** Versions that are behind another one of the same SDK in use on this server. */
        outdatedSdks: Type.Array(Type.String()),
        /** An addition: versions that know no parents of flags, for which a flag may be on although its parent is not. */
        sdksWithoutParents: Type.Array(SdkLack),
      }),
    }),
  ),
  /** Strategies that it brings along and that the server does not know. */
  issues: Type.Object({ missingStrategies: Type.Array(Type.String()) }),
})
export type ApplicationOverview = Static<typeof ApplicationOverview>

/** Reply of the versions of SDKs that are behind another one in use on this server. */
export const OutdatedSdks = Type.Object({
  sdks: Type.Array(Type.Object({ sdkVersion: Type.String(), applications: Type.Array(Type.String()) })),
})
export type OutdatedSdks = Static<typeof OutdatedSdks>

/** Reply of the processes of an application in an environment. */
export const ApplicationInstances = Type.Object({ instances: Type.Array(ApplicationInstance) })

/** Query of the applications of a project. */
export const ProjectApplicationSearch = Type.Object({
  ...Type.Omit(ApplicationSearch, ['sortBy']).properties,
  sortBy: Type.Optional(Type.Enum(['appName', 'createdAt'])),
})
export type ProjectApplicationSearch = Static<typeof ProjectApplicationSearch>

/** An application that asks for flags of a project: where, its processes, and the SDKs that they run on. */
export const ProjectApplication = Type.Object({
  name: Type.String(),
  environments: Type.Array(Type.String()),
  instances: Type.Array(Type.String()),
  sdks: Type.Array(Type.Object({ name: Type.String(), versions: Type.Array(Type.String()) })),
})
export type ProjectApplication = Static<typeof ProjectApplication>

/** Reply of `GET …/projects/{id}/applications`; `total` is how many there are in all. */
export const ProjectApplications = Type.Object({
  applications: Type.Array(ProjectApplication),
  total: Type.Integer(),
})
export type ProjectApplications = Static<typeof ProjectApplications>
