export function noteSecondTries(
  path: string,
  names: readonly string[],
): { readonly lines: string[]; readonly isTooMany: boolean }
