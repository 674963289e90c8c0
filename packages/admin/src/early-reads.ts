import { firstPaths } from './api/first/first-paths.ts'
import { BASE_PATH, readEarly } from './api/http.ts'
import { firstList } from './flags/first-list.ts'

/**
 * In a script of a few kilobytes that comes before all others: what the list of flags will ask the server for is on its way
 * while they still load. They import it first, so that it has run before them even where it comes late. An address with
 * filters is read by the router alone.
 */
const { pathname, search } = location
const query = search === '' ? firstList({ pathname: pathname.slice(BASE_PATH.length), search: {} }) : undefined
if (query !== undefined) for (const path of Object.values(firstPaths(query))) readEarly(path)
