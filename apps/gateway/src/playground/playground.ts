import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Controller, Get, Header } from '@nestjs/common';
import { PLAYGROUND_FOLDER } from '../folders.ts';

const file = (name: string): string => readFileSync(path.join(PLAYGROUND_FOLDER, name), 'utf8');

export const playgroundPage = (): string => file('index.html');

/**
 * Allows scripts, styles and connections of this origin only. GraphiQL cannot replace the page under this policy: its
 * editor, Monaco, needs inline styles.
 */
export function playgroundPolicy(host: string): string {
  // Older browsers do not treat websockets of the same host as 'self'.
  const sockets = /^[\w.:[\]-]+$/.test(host) ? ` ws://${host} wss://${host}` : '';
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self'${sockets}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

@Controller('playground')
export class PlaygroundController {
  private readonly script = file('playground.js');
  private readonly style = file('playground.css');

  @Get('playground.js')
  @Header('content-type', 'text/javascript; charset=utf-8')
  getScript(): string {
    return this.script;
  }

  @Get('playground.css')
  @Header('content-type', 'text/css; charset=utf-8')
  getStyle(): string {
    return this.style;
  }
}
