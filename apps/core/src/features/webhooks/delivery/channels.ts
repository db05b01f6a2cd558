import { Injectable } from '@nestjs/common';
import type { Channel } from './channel.ts';
import { type DestinationRow, DestinationSender } from './destination-sender.ts';
import type { TargetTable } from './jobs.ts';
import { type SlackRow, SlackSender } from './slack-sender.ts';

/** The columns that a channel requires: those of a webhook or those of a destination. */
export type TargetRow = SlackRow | DestinationRow;

/** Creates the channel of a webhook or a destination. */
@Injectable()
export class Channels {
  constructor(
    private readonly slack: SlackSender,
    private readonly destinations: DestinationSender,
  ) {}

  of(table: TargetTable, row: TargetRow): Channel {
    return table === 'webhook' ? this.slack.channel(row as SlackRow) : this.destinations.channel(row as DestinationRow);
  }
}
