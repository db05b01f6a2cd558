import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { Failure, sentence } from '@strata/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Requires } from '../auth/requires.ts';
import { docsFile, type SchemaFormat, type ServedDocument, schemaText } from './openapi.ts';

/** The first type is sent if the caller accepts any. */
const TYPES: readonly (readonly [string, SchemaFormat])[] = [
  ['application/vnd.oai.openapi', 'yaml'],
  ['application/vnd.oai.openapi+json', 'json'],
  ['application/yaml', 'yaml'],
  ['application/json', 'json'],
];

/**
 * Allows scripts and styles from this origin only and no frames, because the page holds a credential while it is open.
 */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves the description of the API and a page to try it. Both are public. */
@Controller()
export class OpenApiController {
  @Get('api/schema')
  @Requires('nothing')
  schema(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    const [type, format] = chosen(request);
    return send(request, reply, type, schemaText(format));
  }

  @Get('api/docs')
  @Requires('nothing')
  page(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return file(request, reply, '');
  }

  @Get('api/docs/:file')
  @Requires('nothing')
  file(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply, @Param('file') name: string) {
    return file(request, reply, name);
  }
}

/** `format` takes precedence over `Accept`. The default is YAML. */
function chosen({ query, headers }: FastifyRequest): readonly [string, SchemaFormat] {
  const { format } = query as Record<string, unknown>;
  if (format !== undefined && format !== '') {
    if (format === 'json') return ['application/vnd.oai.openapi+json', 'json'];
    if (format === 'yaml') return ['application/vnd.oai.openapi', 'yaml'];
    throw Failure.field(
      'invalid',
      'format',
      sentence`Not a valid choice. Choose from: ${{ choices: ['json', 'yaml'] }}.`,
    );
  }
  const requestedTypes = (headers.accept ?? '')
    .split(',')
    .map((part) => part.replace(/;.*$/s, '').trim().toLowerCase());
  return TYPES.find(([type]) => requestedTypes.includes(type)) ?? ['application/vnd.oai.openapi', 'yaml'];
}

function file(request: FastifyRequest, reply: FastifyReply, name: string) {
  const docs = docsFile(name);
  if (!docs) throw new Failure({ kind: 'not_found', code: 'unknown_route', message: 'Not found.' });
  reply.header('content-security-policy', PAGE_POLICY);
  return send(request, reply, docs.type, docs);
}

function send({ headers }: FastifyRequest, reply: FastifyReply, type: string, { body, etag }: ServedDocument) {
  reply.header('etag', etag);
  if (headers['if-none-match']?.includes(etag)) {
    reply.status(304);
    return undefined;
  }
  reply.header('content-type', type);
  return body;
}
