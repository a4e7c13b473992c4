package org.idallocator.service.config;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.AnnotationIntrospector;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DatabindContext;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.DeserializationProblemHandler;
import com.fasterxml.jackson.databind.deser.std.DelegatingDeserializer;
import com.fasterxml.jackson.databind.exc.InvalidTypeIdException;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.introspect.NopAnnotationIntrospector;
import com.fasterxml.jackson.databind.introspect.VisibilityChecker;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.jsontype.PolymorphicTypeValidator;
import com.fasterxml.jackson.databind.jsontype.TypeIdResolver;
import com.fasterxml.jackson.databind.jsontype.TypeResolverBuilder;
import com.fasterxml.jackson.databind.jsontype.impl.StdTypeResolverBuilder;
import com.fasterxml.jackson.databind.jsontype.impl.TypeIdResolverBase;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import org.idallocator.zk.settings.InvalidSettingsException;
import org.jspecify.annotations.Nullable;

/**
 * What refuses in a configuration that Jackson, as Dropwizard sets it up, reads as something else or passes over. Not thread-safe.
 *
 * @param mapper reads
 * @param sections the allocator's sections that were read last and can be used, by their keys
 */
record StrictMapper(ObjectMapper mapper, Map<String, AllocatorSection> sections) {

    /** One like another mapper, which stays as it is. */
    static StrictMapper like(ObjectMapper mapper) {
        Map<String, AllocatorSection> sections = new HashMap<>();
        ObjectMapper strict = mapper.copy()
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .setVisibility(new OnPurpose())
                .setDefaultSetterInfo(
                        JsonSetter.Value.forValueNulls(Nulls.SKIP)) // a variable may leave a key without value
                .registerModule(new SimpleModule("sections").setDeserializerModifier(new Sections(sections::put)))
                .addHandler(new YamlWords());
        strict.setAnnotationIntrospector(AnnotationIntrospector.pair(
                new KnownTypes(), strict.getDeserializationConfig().getAnnotationIntrospector()));
        return new StrictMapper(strict, sections);
    }

    /**
     * Dropwizard's sections, and the allocator's, have those keys that they say they have; setters without a word are for Java.
     * A program's own classes are read as ever.
     */
    private static final class OnPurpose extends VisibilityChecker.Std {
        private static final long serialVersionUID = 1L;

        OnPurpose() {
            this(
                    Visibility.PUBLIC_ONLY,
                    Visibility.PUBLIC_ONLY,
                    Visibility.ANY,
                    Visibility.ANY,
                    Visibility.PUBLIC_ONLY);
        }

        private OnPurpose(
                Visibility getter, Visibility isGetter, Visibility setter, Visibility creator, Visibility field) {
            super(getter, isGetter, setter, creator, field);
        }

        @Override
        protected VisibilityChecker.Std _with(
                Visibility getter, Visibility isGetter, Visibility setter, Visibility creator, Visibility field) {
            return new OnPurpose(getter, isGetter, setter, creator, field);
        }

        private static boolean isOfPrograms(Member member) {
            String type = member.getDeclaringClass().getName();
            return !type.startsWith("io.dropwizard.") && !type.startsWith("org.idallocator.service.config.");
        }

        @Override
        public boolean isFieldVisible(Field field) {
            return isOfPrograms(field) && super.isFieldVisible(field);
        }

        @Override
        public boolean isGetterVisible(Method method) {
            return isOfPrograms(method) && super.isGetterVisible(method);
        }

        @Override
        public boolean isIsGetterVisible(Method method) {
            return isOfPrograms(method) && super.isIsGetterVisible(method);
        }

        @Override
        public boolean isSetterVisible(Method method) {
            return isOfPrograms(method) && super.isSetterVisible(method);
        }
    }

    /** What YAML takes for true and false stays as written until somebody wants that. */
    private static final class YamlWords extends DeserializationProblemHandler {
        private static final Map<String, Boolean> WORDS = Map.of("yes", true, "on", true, "no", false, "off", false);

        @Override
        public @Nullable Object handleWeirdStringValue(
                DeserializationContext context, Class<?> target, String text, String why) throws IOException {
            Boolean meant = WORDS.get(text.toLowerCase(Locale.ROOT));
            return meant != null && (target == boolean.class || target == Boolean.class)
                    ? meant
                    : super.handleWeirdStringValue(context, target, text, why);
        }
    }

    /** Refuses an allocator's section that cannot be used, wherever a program has that. */
    private static final class Sections extends BeanDeserializerModifier {
        private static final long serialVersionUID = 1L;

        private final transient BiConsumer<String, AllocatorSection> read;

        Sections(BiConsumer<String, AllocatorSection> read) {
            this.read = read;
        }

        @Override
        public JsonDeserializer<?> modifyDeserializer(
                DeserializationConfig config, BeanDescription type, JsonDeserializer<?> reader) {
            return type.getBeanClass() == AllocatorSection.class ? new Checked(reader, read) : reader;
        }
    }

    private static final class Checked extends DelegatingDeserializer {
        private static final long serialVersionUID = 1L;

        private final transient BiConsumer<String, AllocatorSection> read;

        Checked(JsonDeserializer<?> reader, BiConsumer<String, AllocatorSection> read) {
            super(reader);
            this.read = read;
        }

        @Override
        protected JsonDeserializer<?> newDelegatingInstance(JsonDeserializer<?> reader) {
            return new Checked(reader, read);
        }

        private static String key(JsonParser parser) {
            String pointer = parser.getParsingContext().pathAsPointer().toString();
            return pointer.isEmpty() ? pointer : pointer.substring(1).replace('/', '.');
        }

        @Override
        public Object deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            String key = key(parser);
            AllocatorSection section = (AllocatorSection) super.deserialize(parser, context);
            try {
                section.settings();
                read.accept(key, section);
                return section;
            } catch (InvalidSettingsException e) {
                throw new RefusedSectionException(parser, e);
            }
        }
    }

    /** Refuses a {@code type} that does not exist also where a section has a default: that would be taken without a word. */
    private static final class KnownTypes extends NopAnnotationIntrospector {
        private static final long serialVersionUID = 1L;

        private final AnnotationIntrospector types = new JacksonAnnotationIntrospector() {
            private static final long serialVersionUID = 1L;

            @Override
            protected TypeResolverBuilder<?> _constructStdTypeResolverBuilder(
                    MapperConfig<?> config, JsonTypeInfo.Value info, JavaType base) {
                return new Builder(info);
            }
        };

        @Override
        public @Nullable TypeResolverBuilder<?> findTypeResolver(
                MapperConfig<?> config, AnnotatedClass type, JavaType base) {
            return types.findTypeResolver(config, type, base);
        }
    }

    private static final class Builder extends StdTypeResolverBuilder {
        Builder(JsonTypeInfo.Value info) {
            super(info);
        }

        private Builder(Builder other, Class<?> defaultImpl) {
            super(other, defaultImpl);
        }

        @Override
        public StdTypeResolverBuilder withDefaultImpl(Class<?> defaultImpl) {
            return new Builder(this, defaultImpl);
        }

        @Override
        @SuppressWarnings("TooManyParameters") // Jackson's own
        protected TypeIdResolver idResolver(
                MapperConfig<?> config,
                JavaType base,
                PolymorphicTypeValidator validator,
                Collection<NamedType> subtypes,
                boolean forSerialization,
                boolean forDeserialization) {
            return new Known(
                    super.idResolver(config, base, validator, subtypes, forSerialization, forDeserialization), base);
        }
    }

    private static final class Known extends TypeIdResolverBase {
        private final TypeIdResolver resolver;
        private final JavaType base;

        Known(TypeIdResolver resolver, JavaType base) {
            this.resolver = resolver;
            this.base = base;
        }

        @Override
        public JavaType typeFromId(DatabindContext context, String id) throws IOException {
            JavaType type = resolver.typeFromId(context, id);
            if (type == null && context instanceof DeserializationContext reading) {
                throw InvalidTypeIdException.from(reading.getParser(), "no such type", base, id);
            }
            return type;
        }

        @Override
        public String idFromValue(Object value) {
            return resolver.idFromValue(value);
        }

        @Override
        public String idFromValueAndType(Object value, Class<?> type) {
            return resolver.idFromValueAndType(value, type);
        }

        @Override
        public JsonTypeInfo.Id getMechanism() {
            return resolver.getMechanism();
        }

        @Override
        public String getDescForKnownTypeIds() {
            return resolver.getDescForKnownTypeIds();
        }
    }
}
