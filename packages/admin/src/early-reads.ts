import { firstPaths } from './api/first/first-paths.ts'
import { BASE_PATH, readEarly } from './api/http.ts'
import { firstList } from './flags/first-list.ts'

/**
 * A script of its own, of a few kilobytes, that comes before all others: what the list of flags will ask the server for is
 * on its way while they still load. An address with filters is read by the router alone.
 */
const { pathname, search } = location
const query = search === '' ? firstList({ pathname: pathname.slice(BASE_PATH.length), search: {} }) : undefined
if (query !== undefined) {
  for (const path of Object.values(firstPaths(query))) readEarly(path)
  // the first number takes a browser some 20 ms to get ready for, which it has now and not while it draws the list
  new Intl.NumberFormat().format(0)
}
