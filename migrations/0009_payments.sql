CREATE TABLE `payment_accounts` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`charges_enabled` integer DEFAULT false NOT NULL,
	`payouts_enabled` integer DEFAULT false NOT NULL,
	`connected_at` integer,
	`disconnected_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_accounts_account` ON `payment_accounts` (`account_id`);--> statement-breakpoint
CREATE TABLE `payments` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`event_type_id` text NOT NULL,
	`booking_id` text NOT NULL,
	`account_id` text,
	`intent_id` text,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`platform_fee` integer NOT NULL,
	`status` text NOT NULL,
	`refunded_amount` integer DEFAULT 0 NOT NULL,
	`reserved_amount` integer DEFAULT 0 NOT NULL,
	`refund_id` text,
	`expires_at` integer NOT NULL,
	`next_attempt_at` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	`kept_scope` text,
	`kept_key` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payments_booking` ON `payments` (`booking_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `payments_intent` ON `payments` (`intent_id`);--> statement-breakpoint
CREATE INDEX `payments_organization` ON `payments` (`organization_id`,`is_test`,`id`);--> statement-breakpoint
CREATE INDEX `payments_status` ON `payments` (`organization_id`,`is_test`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `payments_event_type` ON `payments` (`event_type_id`);--> statement-breakpoint
CREATE INDEX `payments_unpaid` ON `payments` (`expires_at`) WHERE status IN ('pending', 'failed');--> statement-breakpoint
CREATE INDEX `payments_due` ON `payments` (`next_attempt_at`) WHERE next_attempt_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `refunds` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`amount` integer NOT NULL,
	`reason` text,
	`status` text NOT NULL,
	`provider_refund_id` text,
	`claim` text,
	`next_attempt_at` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_provider_refund` ON `refunds` (`provider_refund_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_claim` ON `refunds` (`claim`);--> statement-breakpoint
CREATE INDEX `refunds_payment` ON `refunds` (`payment_id`,`id`);--> statement-breakpoint
CREATE INDEX `refunds_due` ON `refunds` (`next_attempt_at`) WHERE next_attempt_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`customer_id` text NOT NULL,
	`subscription_id` text,
	`status` text,
	`tier` text,
	`billing_interval` text,
	`current_period_start` integer,
	`current_period_end` integer,
	`cancel_at_period_end` integer DEFAULT false NOT NULL,
	`pending_tier` text,
	`told_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_customer` ON `subscriptions` (`customer_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_subscription` ON `subscriptions` (`subscription_id`);--> statement-breakpoint
CREATE INDEX `subscriptions_period` ON `subscriptions` (`current_period_end`) WHERE current_period_end IS NOT NULL;--> statement-breakpoint
ALTER TABLE `bookings` ADD `payment` text;--> statement-breakpoint
CREATE TRIGGER payments_tell_booking AFTER UPDATE OF status ON payments
WHEN OLD.status <> NEW.status
BEGIN
  UPDATE bookings SET payment = json_set(payment, '$.status', NEW.status) WHERE id = NEW.booking_id;
END;
