/**
 * Returns true if a failed test or file at a path may run once more. Returns false if a second try would hide a race.
 */
export function mayTryAgain(path: string): boolean
