/** Separates the name of an environment from the id of a test run. Names of environments cannot contain it. */
const SEPARATOR = '!'

/** Returns the name of the environment of a test run, which has its own document. */
export function formatRunEnvironment(environment: string, run: string): string {
  return `${environment}${SEPARATOR}${run}`
}

/** Returns true if an environment belongs to a test run. */
export function isRunEnvironment(environment: string): boolean {
  return environment.includes(SEPARATOR)
}

/** Returns the environment that a test run overrides. Other environments are returned unchanged. */
export function getBaseEnvironment(environment: string): string {
  const end = environment.indexOf(SEPARATOR)
  return end < 0 ? environment : environment.slice(0, end)
}

/** Returns the id of the test run of an environment; the name itself for other environments. */
export function getRunIdOfEnvironment(environment: string): string {
  return environment.slice(environment.indexOf(SEPARATOR) + 1)
}

/** Returns true if a change of the environment `changed` can change the flags of an environment. */
export function isAffectedBy(environment: string, changed: string): boolean {
  return environment === changed || getBaseEnvironment(environment) === changed
}
