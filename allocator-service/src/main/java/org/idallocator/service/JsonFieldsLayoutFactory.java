package org.idallocator.service;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.LayoutBase;
import com.fasterxml.jackson.annotation.JsonTypeName;
import io.dropwizard.logging.json.EventJsonLayoutBaseFactory;
import io.dropwizard.logging.json.layout.EventJsonLayout;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TimeZone;

/**
 * The layout {@code json-fields} of an appender. It has the same keys in the configuration as Dropwizard's
 * {@code json}, and adds an event's key-value pairs as fields beside {@code message}, which Dropwizard's layout leaves
 * out.
 */
@JsonTypeName("json-fields")
public final class JsonFieldsLayoutFactory extends EventJsonLayoutBaseFactory {

    @Override
    public LayoutBase<ILoggingEvent> build(LoggerContext context, TimeZone timeZone) {
        Layout layout = new Layout(this, context, timeZone);
        layout.setContext(context);
        return layout;
    }

    private static final class Layout extends EventJsonLayout {
        Layout(JsonFieldsLayoutFactory configured, LoggerContext context, TimeZone timeZone) {
            super(
                    configured.createDropwizardJsonFormatter(),
                    configured.createTimestampFormatter(timeZone),
                    configured.createThrowableProxyConverter(context),
                    configured.getIncludes(),
                    configured.getCustomFieldNames(),
                    configured.getAdditionalFields(),
                    configured.getIncludesMdcKeys(),
                    configured.isFlattenMdc());
        }

        @Override
        protected Map<String, Object> toJsonMap(ILoggingEvent event) {
            Map<String, Object> fields = new LinkedHashMap<>(super.toJsonMap(event));
            if (event.getKeyValuePairs() != null) {
                event.getKeyValuePairs().forEach(pair -> fields.putIfAbsent(pair.key, String.valueOf(pair.value)));
            }
            return fields;
        }
    }
}
