export function diagramSvg(source: string): string
