import { type Command, Option } from 'commander'
import { mcpModes } from '../access/key.ts'
import { ConfigError } from '../config.ts'
import { printAside } from './print.ts'
import { command } from './program.ts'
import { readServerUrl } from './server-url.ts'

interface McpOptions {
  url: string
  key?: string
  mode?: string
}

export function mcpCommand(): Command {
  return command('mcp', 'connect an agent on standard input and output with a running server')
    .addOption(new Option('--url <url>', 'URL of the server').env('KONTOR_URL').default('http://127.0.0.1:8080'))
    .addOption(new Option('--key <key>', 'API key').env('KONTOR_KEY'))
    .addOption(new Option('--mode <name>', 'what the agent may do, within what the key allows').choices(mcpModes))
    .action(bridge)
}

async function bridge({ url, key, mode }: McpOptions): Promise<void> {
  if (!key) throw new ConfigError('The API key is missing: pass it with --key or in KONTOR_KEY')
  const server = readServerUrl(url)
  const { bridgeLines } = await import('./mcp/bridge.ts') // loaded here, so that other commands start faster
  await bridgeLines(process.stdin, process.stdout, { url: `${server}/mcp`, key, mode, note: printAside })
}
