/**
 * Draws diagrams of boxes and arrows as SVG. A diagram is a text with one element per line; `#` starts a comment:
 *
 *     title <text>                                        shown to screen readers
 *     size <width> <height>
 *     group <x> <y> <width> <height> <label>              frame around boxes
 *     box <name> <x> <y> <width> <height> <kind> <text>   kind: burgee, outside or data; `|` starts a smaller line
 *     arrow <from> <to> [label]                           dashed with `dashed` in place of `arrow`
 *     note <x> <y> <text>                                 free text; `|` starts another line
 */
const KINDS = {
  burgee: { fill: '#e6f6f1', stroke: '#0b6e5c' },
  outside: { fill: '#ffffff', stroke: '#6b7684' },
  data: { fill: '#fdf3dc', stroke: '#a06a00' },
}
const LINE_HEIGHT = 17
const STYLE =
  'text{font:13px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;fill:#1b2733}.n{font-weight:600}.s{font-size:12px;fill:#46525f}.l{font-size:12px;fill:#46525f;stroke:#f8fafb;stroke-width:4px;paint-order:stroke}'

/** Returns the SVG of a diagram. Throws if a line is malformed. */
export function diagramSvg(source) {
  const diagram = { title: '', size: [0, 0], groups: [], boxes: new Map(), arrows: [], notes: [] }
  for (const line of source.split('\n').map((text) => text.trim())) {
    if (line !== '' && !line.startsWith('#')) readLine(diagram, line)
  }
  const [width, height] = diagram.size
  if (!(width > 0 && height > 0) || diagram.title === '') throw new Error('A diagram needs a title and a size')
  const body = [
    ...diagram.groups.map(groupSvg),
    ...diagram.arrows.map((arrow) => arrowSvg(diagram.boxes, arrow)),
    ...[...diagram.boxes.values()].map(boxSvg),
    ...diagram.arrows.map((arrow) => labelSvg(diagram.boxes, arrow)),
    ...diagram.notes.map(({ x, y, text }) => linesSvg(text, x, y, 'start', 's')),
  ]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>${escapeText(diagram.title)}</title>
<style>${STYLE}</style>
<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 1 9 5 0 9z" fill="#46525f"/></marker></defs>
<rect width="${width}" height="${height}" rx="8" fill="#f8fafb"/>
${body.filter((part) => part !== '').join('\n')}
</svg>
`
}

function readLine(diagram, line) {
  const [kind = '', ...words] = line.split(/\s+/)
  const rest = (from) => words.slice(from).join(' ')
  if (kind === 'title') diagram.title = rest(0)
  else if (kind === 'size') diagram.size = numbers(words, 0, 2, line)
  else if (kind === 'group') diagram.groups.push({ ...area(words, 0, line), text: rest(4) })
  else if (kind === 'note') {
    const [x, y] = numbers(words, 0, 2, line)
    diagram.notes.push({ x, y, text: rest(2) })
  } else if (kind === 'box') {
    if (!(words[5] in KINDS)) throw new Error(`Unknown kind of box: ${line}`)
    diagram.boxes.set(words[0], { ...area(words, 1, line), kind: words[5], text: rest(6) })
  } else if (kind === 'arrow' || kind === 'dashed') {
    diagram.arrows.push({ from: words[0], to: words[1], label: rest(2), isDashed: kind === 'dashed' })
  } else throw new Error(`Unknown element: ${line}`)
}

function numbers(words, from, to, line) {
  const values = words.slice(from, to).map(Number)
  if (values.length < to - from || values.some(Number.isNaN)) throw new Error(`Expects numbers: ${line}`)
  return values
}

function area(words, from, line) {
  const [x, y, width, height] = numbers(words, from, from + 4, line)
  return { x, y, width, height }
}

function groupSvg({ x, y, width, height, text }) {
  const frame = `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="10" fill="none" stroke="#9aa5b1" stroke-dasharray="5 4"/>`
  return `${frame}\n${linesSvg(text, x + 12, y + 20, 'start', 's')}`
}

function boxSvg({ x, y, width, height, kind, text }) {
  const { fill, stroke } = KINDS[kind]
  const count = text.split('|').length
  const top = y + height / 2 - ((count - 1) * LINE_HEIGHT) / 2 + 5
  const frame = `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="7" fill="${fill}" stroke="${stroke}" stroke-width="1.5"/>`
  return `${frame}\n${linesSvg(text, x + width / 2, top, 'middle', 'n')}`
}

/** Returns the SVG elements for lines of text. The first line has the given class; further lines are smaller. */
function linesSvg(text, x, y, anchor, first) {
  return text
    .split('|')
    .map(
      (line, index) =>
        `<text x="${x}" y="${y + index * LINE_HEIGHT}" text-anchor="${anchor}" class="${index === 0 ? first : 's'}">${escapeText(line.trim())}</text>`,
    )
    .join('\n')
}

function arrowSvg(boxes, arrow) {
  const { x1, y1, x2, y2 } = endsOf(boxes, arrow)
  const dashes = arrow.isDashed ? ' stroke-dasharray="5 4"' : ''
  return `<path d="M${x1} ${y1} ${x2} ${y2}" fill="none" stroke="#46525f" stroke-width="1.4"${dashes} marker-end="url(#tip)"/>`
}

function labelSvg(boxes, arrow) {
  if (arrow.label === '') return ''
  const { x1, y1, x2, y2 } = endsOf(boxes, arrow)
  const lines = arrow.label.split('|')
  const y = (y1 + y2) / 2 + 4 - ((lines.length - 1) * LINE_HEIGHT) / 2
  return lines
    .map(
      (line, index) =>
        `<text x="${(x1 + x2) / 2}" y="${y + index * LINE_HEIGHT}" text-anchor="middle" class="l">${escapeText(line.trim())}</text>`,
    )
    .join('\n')
}

/**
 * Returns the two end points of an arrow. The arrow is straight where the boxes face each other, and otherwise connects
 * their centers.
 */
function endsOf(boxes, { from, to }) {
  const [a, b] = [from, to].map((name) => {
    const found = boxes.get(name)
    if (found === undefined) throw new Error(`Unknown box: ${name}`)
    return found
  })
  const isBeside = a.x + a.width <= b.x || b.x + b.width <= a.x
  const isAbove = a.y + a.height <= b.y || b.y + b.height <= a.y
  if (isAbove) {
    const [x1, x2] = facing(a.x, a.width, b.x, b.width)
    const isDown = a.y < b.y
    return { x1, x2, y1: isDown ? a.y + a.height : a.y, y2: isDown ? b.y : b.y + b.height }
  }
  if (!isBeside) throw new Error(`Boxes overlap: ${from} and ${to}`)
  const [y1, y2] = facing(a.y, a.height, b.y, b.height)
  const isRight = a.x < b.x
  return { y1, y2, x1: isRight ? a.x + a.width : a.x, x2: isRight ? b.x : b.x + b.width }
}

/**
 * Returns the coordinates, along one axis, at which a line leaves one box and enters the other: the middle of their
 * overlap, or both centers if they hardly overlap.
 */
function facing(a, aLength, b, bLength) {
  const start = Math.max(a, b)
  const end = Math.min(a + aLength, b + bLength)
  return end - start > 100 ? [(start + end) / 2, (start + end) / 2] : [a + aLength / 2, b + bLength / 2]
}

function escapeText(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
