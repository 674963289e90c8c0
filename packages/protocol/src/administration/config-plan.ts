import Type, { type Static } from 'typebox'
import { CONFIG_FILE_KINDS } from './config-files.ts'

/** Maximum number of files of one project. */
export const MAX_CONFIG_FILES = 20_000
/** Maximum length of a file in characters: enough for a constraint with 10,000 values. */
export const MAX_CONFIG_FILE_LENGTH = 524_288

const Path = Type.String({ minLength: 1, maxLength: 1000 })

/** File with its path, relative to the folder of the project. */
export const ConfigFile = Type.Object({
  path: Path,
  content: Type.String({ maxLength: MAX_CONFIG_FILE_LENGTH }),
})
export type ConfigFile = Static<typeof ConfigFile>

/** Selection of an export: one flag with the objects that it uses, or all flags of a project. */
export const ConfigExportQuery = Type.Object({ flag: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })) })

/** Files of a project, sorted by path. The same state always gives the same files. */
export const ConfigExport = Type.Object({ files: Type.Array(ConfigFile) })
export type ConfigExport = Static<typeof ConfigExport>

/** Version of the files: a repository and a commit. Stored with the events and change requests of an apply. */
export const ConfigSource = Type.Object({
  repository: Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\s@]+$' }),
  commit: Type.String({ minLength: 7, maxLength: 64, pattern: '^[0-9a-fA-F]+$' }),
})
export type ConfigSource = Static<typeof ConfigSource>

/** Body of a plan. */
export const ConfigPlanRequest = Type.Object({
  files: Type.Array(ConfigFile, { maxItems: MAX_CONFIG_FILES }),
  /** True to archive flags and delete segments of the project that no file describes. */
  prune: Type.Optional(Type.Boolean()),
  /** Environment to which the plan is limited. */
  environment: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  source: Type.Optional(ConfigSource),
})
export type ConfigPlanRequest = Static<typeof ConfigPlanRequest>

/** Body of an apply: the files of a plan, and the hash of this plan. */
export const ConfigApplyRequest = Type.Object({
  ...ConfigPlanRequest.properties,
  plan: Type.String({ minLength: 1, maxLength: 100 }),
})
export type ConfigApplyRequest = Static<typeof ConfigApplyRequest>

/** Change that an apply would make. */
export const ConfigChange = Type.Object({
  kind: Type.Enum([...(Object.keys(CONFIG_FILE_KINDS) as (keyof typeof CONFIG_FILE_KINDS)[])]),
  name: Type.String(),
  /** Flag that changes; absent for other objects. */
  flag: Type.Optional(Type.String()),
  environment: Type.Optional(Type.String()),
  sentence: Type.String(),
  /** True if the change turns a flag on, or starts a milestone of a flag that is on. */
  enables: Type.Optional(Type.Boolean()),
})
export type ConfigChange = Static<typeof ConfigChange>

/** Object that no file describes and that stays although the plan prunes. */
export const KeptObject = Type.Object({ kind: Type.String(), name: Type.String(), reason: Type.String() })
export type KeptObject = Static<typeof KeptObject>

/** Reason why an apply would fail, and the object or environment to which the reason applies. */
export const ConfigObstacle = Type.Object({ kind: Type.String(), name: Type.String(), reason: Type.String() })
export type ConfigObstacle = Static<typeof ConfigObstacle>

/** Changes that bring a project to the state of its files. */
export const ConfigPlan = Type.Object({
  /** Hash of the plan, with which it is applied. It changes with the files and with the state of the project. */
  plan: Type.String(),
  /** Id of the last event of the project or of the objects that all projects share. */
  revision: Type.Integer(),
  changes: Type.Array(ConfigChange),
  /** Changes that archive a flag, or delete a segment. */
  destructive: Type.Array(ConfigChange),
  /** Protected environments in which an apply creates a change request instead of making the changes. */
  needsChangeRequest: Type.Array(Type.String()),
  /** Permissions that the caller lacks to apply the plan. */
  missingPermissions: Type.Array(Type.String()),
  kept: Type.Array(KeptObject),
  /** Reasons why an apply would fail. */
  obstacles: Type.Array(ConfigObstacle),
})
export type ConfigPlan = Static<typeof ConfigPlan>

/** Result of an apply. */
export const ConfigApplyResult = Type.Object({
  /** Number of changes that were made. */
  applied: Type.Integer(),
  changeRequests: Type.Array(
    Type.Object({ id: Type.Integer(), environment: Type.String(), changes: Type.Integer(), title: Type.String() }),
  ),
})
export type ConfigApplyResult = Static<typeof ConfigApplyResult>

/** Mistake in a file. The error of a plan lists mistakes as `mistakes`. */
export const ConfigMistake = Type.Object({
  file: Type.String(),
  line: Type.Integer(),
  property: Type.String(),
  message: Type.String(),
})
export type ConfigMistake = Static<typeof ConfigMistake>
