/** Runs the built command with another cost of password hashing: `burgee-command.mjs <cost as JSON> <command> ...`. */
import { runCommand } from '../../bin/bundle/command.js'

const [cost, ...argv] = process.argv.slice(2)
process.exitCode = await runCommand(argv, { passwordCost: JSON.parse(cost) })
