/** Returns the faults of a built site below a folder, whose pages are served below `base` ('/' or '/path/'). */
export function siteFaults(
  folder: string,
  base: string,
): { readonly faults: readonly string[]; readonly pages: number; readonly links: number }
