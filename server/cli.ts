#!/usr/bin/env node
/** The command line, `causeway`. What each command does stands in server/cli/. */
import { askCommand } from './cli/ask.ts';
import { CliError, EXIT, HELP, safe, setUpInterrupt } from './cli/common.ts';
import { graphCommand } from './cli/graph.ts';
import { indexCommand } from './cli/index.ts';
import { directCommand, extractCommand } from './cli/measure.ts';
import { modelsCommand } from './cli/models.ts';

const COMMANDS: Readonly<Record<string, (args: string[], signal: AbortSignal) => Promise<number>>> = {
  ask: (args, signal) => askCommand(args, signal, 'ask'),
  explain: (args, signal) => askCommand(args, signal, 'explain'),
  index: indexCommand,
  graph: graphCommand,
  models: modelsCommand,
  extract: extractCommand,
  direct: directCommand,
};

async function main(): Promise<number> {
  const [name, ...args] = process.argv.slice(2);
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(HELP);
    return name === undefined ? EXIT.usage : EXIT.answered;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new CliError(`There is no command "${name}". Try: causeway --help`);
  const end = args.indexOf('--');
  if ((end < 0 ? args : args.slice(0, end)).some((arg) => arg === '--help' || arg === '-h')) {
    process.stdout.write(HELP);
    return EXIT.answered;
  }
  return command(args, setUpInterrupt());
}

try {
  process.exitCode = await main();
} catch (error) {
  if (error instanceof CliError) {
    process.stderr.write(`causeway: ${safe(error.message)}\n`);
    process.exitCode = EXIT.usage;
  } else if (error instanceof Error && error.name === 'AbortError') {
    process.stderr.write('causeway: stopped. What was read so far is kept.\n');
    process.exitCode = EXIT.fault;
  } else {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`causeway: ${safe(message)}\n`);
    if (process.env['CAUSEWAY_DEBUG'] && error instanceof Error) process.stderr.write(`${error.stack}\n`);
    process.exitCode = EXIT.fault;
  }
}
